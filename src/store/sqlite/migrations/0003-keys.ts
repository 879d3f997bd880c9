/** API keys of workspaces. */
export const keys = `
CREATE TABLE access_key (
  number       INTEGER PRIMARY KEY,
  workspace    INTEGER NOT NULL REFERENCES workspace (number) ON DELETE CASCADE,
  id           TEXT    NOT NULL UNIQUE,
  name         TEXT    NOT NULL,
  scope        TEXT    NOT NULL,         -- metrics, read, write, admin
  digest       TEXT    NOT NULL,         -- SHA-256 of the key, in hexadecimal: the key itself is kept nowhere
  created_at   INTEGER NOT NULL,
  last_used_at INTEGER
) STRICT;

CREATE INDEX access_key_by_workspace ON access_key (workspace, number);
`
