"""Korean: year, month and day with their words, 24 hours. Letters of Django's date filter."""

DATE_FORMAT = "Y년 n월 j일"
TIME_FORMAT = "H:i"
DATETIME_FORMAT = "Y년 n월 j일 H:i"
YEAR_MONTH_FORMAT = "Y년 n월"
MONTH_DAY_FORMAT = "n월 j일"
SHORT_DATE_FORMAT = "Y. n. j."
SHORT_DATETIME_FORMAT = "Y. n. j. H:i"
FIRST_DAY_OF_WEEK = 0
