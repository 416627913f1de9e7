# Clew: one image for web, stream, worker and beat. The database is migrated by the web container as it starts.
FROM python:3.13-slim

ENV PYTHONUNBUFFERED=1 PYTHONDONTWRITEBYTECODE=1 CLEW_DATA=/data
WORKDIR /app
RUN useradd --system --uid 10001 clew && install -d -o clew /data

COPY requirements/run.txt requirements/run.txt
RUN pip install --no-cache-dir --require-hashes -r requirements/run.txt

COPY manage.py ./
COPY config config
COPY accounts accounts
COPY games games
COPY notifications notifications
COPY locale locale
COPY docs docs
RUN DJANGO_SECRET_KEY=only-for-this-step python manage.py collectstatic --noinput --verbosity 0 \
    && chown -R clew /data

USER clew
EXPOSE 8000
CMD ["granian", "--interface", "wsgi", "--host", "0.0.0.0", "--port", "8000", "--blocking-threads", "8", "--no-ws", "config.wsgi:application"]
