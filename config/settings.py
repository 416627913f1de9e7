"""All of Clew's settings, read from the environment. docs/running.md lists the variables for those who run it."""

from datetime import timedelta
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import dj_database_url
from django.utils.csp import CSP
from kombu import Queue

from config import logs
from config.env import env_bool, env_choice, env_float, env_int, env_ints, env_list, env_str
from config.secret import kept_secret

BASE_DIR = Path(__file__).resolve().parent.parent

# --- How it runs ------------------------------------------------------------------------------------------------------
#: Embedded: all on one machine for one group of friends, with nothing to install (bin/play). Else production.
CLEW_EMBEDDED = env_bool("CLEW_EMBEDDED", default=False)
#: Where files are kept: database, secret key, queue and mails of an embedded site, collected static files.
CLEW_DATA = Path(env_str("CLEW_DATA", str(BASE_DIR / "var"))).resolve()
#: Where people find the site, without a slash at the end; links in mails begin with it.
CLEW_SITE_URL = env_str("CLEW_SITE_URL", "http://localhost:8000").rstrip("/")

_site = urlsplit(CLEW_SITE_URL)
_https = _site.scheme == "https"
CLEW_REDIS_URL = _redis_url = env_str("REDIS_URL", "redis://localhost:6379/0")
#: Where browsers find the stream process: ``/stream/`` behind the proxy, or at another origin. Empty: there is none,
#: and pages poll. An embedded site has no Redis to feed one.
CLEW_STREAM_URL = "" if CLEW_EMBEDDED else env_str("CLEW_STREAM_URL", "")
_stream = urlsplit(CLEW_STREAM_URL)
#: Whether the connection comes from a proxy in front, whose X-Forwarded-… headers are believed.
CLEW_BEHIND_PROXY = env_bool("CLEW_BEHIND_PROXY", default=False)

DEBUG = env_bool("CLEW_DEBUG", default=False)
SECRET_KEY = env_str("DJANGO_SECRET_KEY", "") or kept_secret(CLEW_DATA)
SECRET_KEY_FALLBACKS = env_list("DJANGO_SECRET_KEY_FALLBACKS")
ALLOWED_HOSTS = [
    *([_site.hostname] if _site.hostname else []),
    *(["localhost", "127.0.0.1", "[::1]"] if CLEW_EMBEDDED else []),
    *env_list("CLEW_ALLOWED_HOSTS"),
]
CSRF_TRUSTED_ORIGINS = [CLEW_SITE_URL]
ROOT_URLCONF = "config.urls"
WSGI_APPLICATION = "config.wsgi.application"

# --- Applications and middleware --------------------------------------------------------------------------------------
INSTALLED_APPS = [
    "accounts",  # before allauth: its templates override
    "games",
    "notifications",
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "allauth.usersessions",
    "rest_framework",
    "drf_spectacular",
    "drf_spectacular_sidecar",
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.humanize",
    "django.contrib.staticfiles",
]
MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "config.charset.OnlyUtf8",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "django.middleware.gzip.GZipMiddleware",  # pads at random, so that no length tells a secret (BREACH)
    "django.middleware.csp.ContentSecurityPolicyMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "accounts.middleware.reader",
    "django.contrib.messages.middleware.MessageMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "allauth.usersessions.middleware.UserSessionsMiddleware",
    "notifications.presence.sees",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
]
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.template.context_processors.csp",
                "django.template.context_processors.i18n",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "games.pages.context.site",
                "notifications.context.unread",
            ],
        },
    }
]

# --- People and sessions ----------------------------------------------------------------------------------------------
AUTH_USER_MODEL = "accounts.User"
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
PASSWORD_HASHERS = [
    "django.contrib.auth.hashers.Argon2PasswordHasher",
    "django.contrib.auth.hashers.PBKDF2PasswordHasher",
]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in (
        "UserAttributeSimilarityValidator",
        "MinimumLengthValidator",
        "CommonPasswordValidator",
        "NumericPasswordValidator",
    )
]
SESSION_ENGINE = "django.contrib.sessions.backends.db"  # not the cache: a lost Redis must not log people out
SESSION_COOKIE_AGE = int(timedelta(days=60).total_seconds())

AUTHENTICATION_BACKENDS = ["accounts.backends.Backend"]
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = "home"
LOGOUT_REDIRECT_URL = "front"
ACCOUNT_ADAPTER = "accounts.adapter.Adapter"
ACCOUNT_FORMS = {
    "login": "accounts.forms.LoginForm",
    "signup": "accounts.forms.SignupForm",
    "add_email": "accounts.forms.AddEmailForm",
    "change_password": "accounts.forms.ChangePasswordForm",
    "set_password": "accounts.forms.SetPasswordForm",
    "reset_password": "accounts.forms.ResetPasswordForm",
    "reset_password_from_key": "accounts.forms.ResetPasswordKeyForm",
    "reauthenticate": "accounts.forms.ReauthenticateForm",
}
ACCOUNT_USER_MODEL_USERNAME_FIELD = "name"
ACCOUNT_LOGIN_METHODS = {"username", "email"}
ACCOUNT_SIGNUP_FIELDS = ["username*", "email*", "password1*"]
ACCOUNT_EMAIL_VERIFICATION = "mandatory"
ACCOUNT_EMAIL_CONFIRMATION_EXPIRE_DAYS = 3
ACCOUNT_LOGIN_ON_EMAIL_CONFIRMATION = True  # in the browser that signed up, and nowhere else
ACCOUNT_CHANGE_EMAIL = True
ACCOUNT_EMAIL_NOTIFICATIONS = True
ACCOUNT_PREVENT_ENUMERATION = "strict"
ACCOUNT_REAUTHENTICATION_REQUIRED = True
ACCOUNT_REAUTHENTICATION_METHODS = ["password", "mfa"]
ACCOUNT_SESSION_REMEMBER = True
MFA_SUPPORTED_TYPES = ["totp", "recovery_codes"]
MFA_FORMS = {
    "authenticate": "accounts.forms.SecondStepForm",
    "reauthenticate": "accounts.forms.SecondStepAgainForm",
    "activate_totp": "accounts.forms.SwitchOnSecondStepForm",
}
MFA_ADAPTER = "accounts.adapter.SecondStepAdapter"
MFA_TOTP_ISSUER = "Clew"
MFA_ALLOW_UNVERIFIED_EMAIL = True  # it may change its address; the new one counts once it is confirmed
#: How many bots a person may have at a time.
CLEW_BOTS = env_int("CLEW_BOTS", 5, least=0)
# Rate limits count by the address that the one proxy in front reports, else by the connection's own.
ALLAUTH_TRUSTED_PROXY_COUNT = int(CLEW_BEHIND_PROXY)

# --- What browsers are told -------------------------------------------------------------------------------------------
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = _https
SECURE_HSTS_SECONDS = int(timedelta(days=365).total_seconds()) if _https else 0
if CLEW_BEHIND_PROXY:
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
X_FRAME_OPTIONS = "DENY"
SECURE_CSP = {
    "default-src": [CSP.NONE],
    "script-src": [CSP.SELF, CSP.NONCE],
    "style-src": [CSP.SELF, CSP.NONCE],
    "img-src": [CSP.SELF, "data:"],
    "font-src": [CSP.SELF],
    "connect-src": [CSP.SELF, *([f"{_stream.scheme}://{_stream.netloc}"] if _stream.netloc else [])],
    "manifest-src": [CSP.SELF],
    "worker-src": [CSP.SELF],
    "form-action": [CSP.SELF],
    "base-uri": [CSP.NONE],
    "frame-ancestors": [CSP.NONE],
}

# --- Language and time ------------------------------------------------------------------------------------------------
LANGUAGE_CODE = "en"
LANGUAGES = [("en", "English"), ("ko", "한국어")]
LOCALE_PATHS = [BASE_DIR / "locale"]
FORMAT_MODULE_PATH = ["config.formats"]
USE_TZ = True
TIME_ZONE = "UTC"

# --- Database ---------------------------------------------------------------------------------------------------------
if not (_database_url := env_str("DATABASE_URL", "")):
    CLEW_DATA.mkdir(parents=True, exist_ok=True)  # SQLite makes the file, but not the folder
    _database_url = f"sqlite:///{CLEW_DATA}/clew.sqlite3"
_database: dict[str, Any] = {**dj_database_url.parse(_database_url)}
if _database["ENGINE"].endswith("sqlite3"):
    _database["OPTIONS"] = {
        # A transaction takes the write lock when it begins: one that read first could never be granted it later.
        "transaction_mode": "IMMEDIATE",
        "timeout": 20,
        # FULL: in WAL mode NORMAL can lose the last commits in a power cut. Recursive triggers: REPLACE deletes rows
        # past a delete trigger without them, and events may not be deleted.
        "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA recursive_triggers=ON",
    }
elif env_bool("CLEW_DB_POOL", default=True):
    _database["OPTIONS"] = {
        **_database.get("OPTIONS", {}),
        "pool": {"min_size": 1, "max_size": env_int("CLEW_DB_POOL_SIZE", 16, least=1), "timeout": 10},
    }
DATABASES = {"default": _database}

# --- Cache ------------------------------------------------------------------------------------------------------------
CACHES: dict[str, dict[str, Any]] = {
    "default": {"BACKEND": "django.core.cache.backends.db.DatabaseCache", "LOCATION": "clew_cache"}
    if CLEW_EMBEDDED
    else {
        "BACKEND": "config.cache.Cache",
        "LOCATION": _redis_url,
        "KEY_PREFIX": "clew",
        "OPTIONS": {"socket_connect_timeout": 0.5, "socket_timeout": 1},
    }
}
# Counting requests costs no database write: the one web process of an embedded site counts for itself.
CACHES["limits"] = (
    {"BACKEND": "django.core.cache.backends.locmem.LocMemCache", "LOCATION": "limits"}
    if CLEW_EMBEDDED
    else {**CACHES["default"], "KEY_PREFIX": "clew-limits"}
)

# --- The HTTP API -----------------------------------------------------------------------------------------------------
#: Requests in a minute: of an account to read and to write, of an address that shows no account.
CLEW_API_LIMITS = {
    "reads": env_int("CLEW_API_READS", 3000, least=1),
    "writes": env_int("CLEW_API_WRITES", 2400, least=1),
    "anonymous": env_int("CLEW_API_ANONYMOUS", 300, least=1),
}
REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "accounts.authentication.TokenAuthentication",  # first: its challenge makes a refusal a 401
        "rest_framework.authentication.SessionAuthentication",
    ],
    "DEFAULT_PERMISSION_CLASSES": ["config.api.permissions.HasScope"],
    "DEFAULT_THROTTLE_CLASSES": ["config.api.throttles.PerMinute"],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_PARSER_CLASSES": ["config.api.parsing.Body"],
    "DEFAULT_METADATA_CLASS": None,
    "DEFAULT_SCHEMA_CLASS": "config.api.schema.Schema",
    "EXCEPTION_HANDLER": "config.api.problems.handle",
    "NUM_PROXIES": int(CLEW_BEHIND_PROXY),
    "TEST_REQUEST_DEFAULT_FORMAT": "json",
    "UNAUTHENTICATED_USER": "django.contrib.auth.models.AnonymousUser",
}
SPECTACULAR_SETTINGS = {
    "TITLE": "Clew",
    "DESCRIPTION": "Correspondence card games, played by programs. /api/guide/ tells how endpoints fit together.",
    "VERSION": "1",
    "OAS_VERSION": "3.1.1",
    "LICENSE": {"name": "MIT"},
    "SCHEMA_PATH_PREFIX": r"/api/v1",
    "SERVE_INCLUDE_SCHEMA": False,
    "SERVE_AUTHENTICATION": [],
    "SERVE_PERMISSIONS": ["rest_framework.permissions.AllowAny"],
    "SWAGGER_UI_DIST": "SIDECAR",
    "SWAGGER_UI_FAVICON_HREF": "SIDECAR",
    "COMPONENT_SPLIT_REQUEST": True,
    "ENUM_NAME_OVERRIDES": {},
}

# --- Static files -----------------------------------------------------------------------------------------------------
#: Names with a hash, from `manage.py collectstatic`. Without it, files are served as they lie in the source.
_collected = env_bool("CLEW_STATIC_MANIFEST", default=not DEBUG)
STATIC_URL = "/static/"
STATIC_ROOT = CLEW_DATA / "static"
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {
        "BACKEND": "whitenoise.storage.CompressedManifestStaticFilesStorage"
        if _collected
        else "django.contrib.staticfiles.storage.StaticFilesStorage"
    },
}
WHITENOISE_USE_FINDERS = not _collected

# --- Mail -------------------------------------------------------------------------------------------------------------
_smtp = "django.core.mail.backends.smtp.EmailBackend"
_mail_backend = env_str(
    "CLEW_MAIL_BACKEND", "django.core.mail.backends.filebased.EmailBackend" if CLEW_EMBEDDED else _smtp
)
_smtp_security = env_choice("SMTP_SECURITY", "none", ("none", "starttls", "tls"))
_mail_options: dict[str, dict[str, Any]] = {
    _smtp: {
        "host": env_str("SMTP_HOST", "localhost"),
        "port": env_int("SMTP_PORT", 25, least=1),
        "username": env_str("SMTP_USER", ""),
        "password": env_str("SMTP_PASSWORD", ""),
        "use_tls": _smtp_security == "starttls",
        "use_ssl": _smtp_security == "tls",
        "timeout": 10,
    },
    "django.core.mail.backends.filebased.EmailBackend": {"file_path": str(CLEW_DATA / "mail")},
}
MAILERS: dict[str, dict[str, Any]] = {
    "default": {"BACKEND": _mail_backend, "OPTIONS": _mail_options.get(_mail_backend, {})}
}
DEFAULT_FROM_EMAIL = env_str("DEFAULT_FROM_EMAIL", f"Clew <clew@{_site.hostname or 'localhost'}>")
SERVER_EMAIL = DEFAULT_FROM_EMAIL
#: What stands behind the @ of Message-IDs.
CLEW_MAIL_DOMAIN = env_str("CLEW_MAIL_DOMAIN", _site.hostname or "localhost")

# --- Telling people ---------------------------------------------------------------------------------------------------
#: Seconds that an immediate message waits, so that a rapid exchange sends none of its steps.
CLEW_QUIET_SPELL = env_float("CLEW_QUIET_SPELL", 60.0, least=0.0)
#: Seconds that a sender may hold a message before another takes it over.
CLEW_LEASE = env_float("CLEW_LEASE", 60.0, least=0.0)
#: Seconds to wait after the first, second, … failed try; the last one repeats.
CLEW_RETRY_WAITS = env_ints("CLEW_RETRY_WAITS", [60, 300, 1800, 7200, 21600])
#: Seconds between two sweeps for messages and clocks that are due.
CLEW_SWEEP_INTERVAL = env_float("CLEW_SWEEP_INTERVAL", 10.0, least=0.01)

#: Seconds since a table's page last asked for news within which its reader is taken to be there, and seconds after
#: which they are told all the same: a tab that was left open swallows nothing.
CLEW_PRESENCE = env_float("CLEW_PRESENCE", 45.0, least=0.0)
CLEW_PRESENCE_LONGEST = env_float("CLEW_PRESENCE_LONGEST", 900.0, least=0.0)
#: Hosts that webhooks and pushes may reach wherever they are, also without TLS, such as an ntfy of one's own.
CLEW_WEBHOOK_HOSTS = env_list("CLEW_WEBHOOK_HOSTS")
#: Seconds past which the oldest due message makes the operator be warned.
CLEW_OUTBOX_WARN = env_float("CLEW_OUTBOX_WARN", 600.0, least=1.0)

# --- Streams ----------------------------------------------------------------------------------------------------------
#: Streams in one process: of all, of one person, from one address.
CLEW_STREAM_MOST = env_int("CLEW_STREAM_MOST", 10_000, least=1)
CLEW_STREAM_PERSON = env_int("CLEW_STREAM_PERSON", 20, least=1)
CLEW_STREAM_ADDRESS = env_int("CLEW_STREAM_ADDRESS", 200, least=1)
#: Seconds after which a stream ends, so that its reader comes with a new ticket, and between two signs of life.
CLEW_STREAM_LIFETIME = env_float("CLEW_STREAM_LIFETIME", 3600.0, least=0.1)
CLEW_STREAM_HEARTBEAT = env_float("CLEW_STREAM_HEARTBEAT", 20.0, least=0.1)

# --- Time -------------------------------------------------------------------------------------------------------------
#: Seconds past a deadline before a game is ended: a move that was received in time may take so long to be decided.
CLEW_GRACE = env_float("CLEW_GRACE", 30.0, least=0.0)
#: Seconds without a sweep after which the service was down, and clocks are credited.
CLEW_OUTAGE = env_float("CLEW_OUTAGE", 300.0, least=1.0)
#: Days of vacation a year.
CLEW_VACATION_DAYS = env_int("CLEW_VACATION_DAYS", 30, least=0)
#: Days after which a table that nobody joined is taken away, and how many days before its owner has a word.
CLEW_OPEN_DAYS = env_float("CLEW_OPEN_DAYS", 30.0, least=0.0)
CLEW_OPEN_WARNING_DAYS = env_float("CLEW_OPEN_WARNING_DAYS", 3.0, least=0.0)

# --- Celery -----------------------------------------------------------------------------------------------------------
if CLEW_EMBEDDED:
    _queue = CLEW_DATA / "queue"
    CELERY_BROKER_URL = "spool://localhost/"
    CELERY_BROKER_TRANSPORT_OPTIONS: dict[str, Any] = {
        "data_folder_in": str(_queue / "messages"),
        "data_folder_out": str(_queue / "messages"),
        "control_folder": str(_queue / "control"),
        "polling_interval": 0.1,
    }
    for _folder in ("messages", "control"):
        (_queue / _folder).mkdir(parents=True, exist_ok=True)
else:
    CELERY_BROKER_URL = _redis_url
    CELERY_BROKER_TRANSPORT_OPTIONS = {
        # A broker that is gone, or swallows packets, is found out soon.
        "socket_connect_timeout": 1,
        "socket_timeout": 5,
        "retry_on_timeout": False,
    }
CELERY_BROKER_CONNECTION_TIMEOUT = 1
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_TASK_PUBLISH_RETRY = False
# A task is the worker's as soon as it is fetched: what it would have done stands in the database, and the next sweep
# does it. Were it to be acknowledged, and Redis died before that, early or late, the worker would count it as its own
# for ever, take no other, and never hear that Redis is back.
CELERY_TASK_QUEUES = [Queue("celery", no_ack=True)]
CELERY_TASK_IGNORE_RESULT = True
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_WORKER_ENABLE_REMOTE_CONTROL = False
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_TIMEZONE = "UTC"
CELERY_BEAT_SCHEDULER = "celery.beat:Scheduler"  # the schedule is static: nothing to keep in a file or a table
CELERY_BEAT_SCHEDULE = {
    "sweep the outbox": {"task": "notifications.tasks.sweep", "schedule": CLEW_SWEEP_INTERVAL},
    "sweep the games": {"task": "games.tasks.sweep", "schedule": CLEW_SWEEP_INTERVAL},
}

# --- Logs -------------------------------------------------------------------------------------------------------------
LOGGING_CONFIG = "logging.config.dictConfig"
LOGGING = logs.configure(json=not CLEW_EMBEDDED, level=env_str("CLEW_LOG_LEVEL", "INFO").upper())
