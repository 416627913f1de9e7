"""The database itself refuses to change or remove an event."""

from django.apps.registry import Apps
from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

POSTGRESQL = """
CREATE FUNCTION games_event_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'events are append-only: % refused', TG_OP USING ERRCODE = 'restrict_violation';
END $$;
CREATE TRIGGER games_event_no_change BEFORE UPDATE OR DELETE ON games_event
    FOR EACH ROW EXECUTE FUNCTION games_event_append_only();
CREATE TRIGGER games_event_no_truncate BEFORE TRUNCATE ON games_event
    FOR EACH STATEMENT EXECUTE FUNCTION games_event_append_only();
"""

# SQLite has no TRUNCATE: a DELETE without WHERE fires the trigger too. REPLACE removes the row in its way without
# firing a delete trigger (unless recursive_triggers is on), so an insert that would replace one is refused as well.
SQLITE = [
    f"""
    CREATE TRIGGER games_event_no_{operation.lower()} BEFORE {operation} ON games_event
    BEGIN SELECT RAISE(ABORT, 'events are append-only: {operation} refused'); END
    """
    for operation in ("UPDATE", "DELETE")
] + [
    """
    CREATE TRIGGER games_event_no_replace BEFORE INSERT ON games_event
    WHEN EXISTS (SELECT 1 FROM games_event WHERE id = NEW.id OR (game = NEW.game AND version = NEW.version)
        OR (game = NEW.game AND command = NEW.command))
    BEGIN SELECT RAISE(ABORT, 'UNIQUE constraint failed: events are append-only'); END
    """
]


def protect(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    match schema_editor.connection.vendor:
        case "postgresql":
            schema_editor.execute(POSTGRESQL, params=None)  # None: the % in it is the trigger's
        case "sqlite":
            for statement in SQLITE:
                schema_editor.execute(statement)
        case vendor:
            raise RuntimeError(f"Clew keeps its events in PostgreSQL or SQLite, not in {vendor}.")


def expose(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    if schema_editor.connection.vendor == "postgresql":
        schema_editor.execute("DROP TRIGGER games_event_no_change ON games_event")
        schema_editor.execute("DROP TRIGGER games_event_no_truncate ON games_event")
        schema_editor.execute("DROP FUNCTION games_event_append_only()")
    else:
        for name in ("update", "delete", "replace"):
            schema_editor.execute(f"DROP TRIGGER games_event_no_{name}")


class Migration(migrations.Migration):
    dependencies = [("games", "0001_initial")]
    operations = [migrations.RunPython(protect, expose)]
