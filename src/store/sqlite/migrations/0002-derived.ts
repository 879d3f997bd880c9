/** What is worked out from the record, the work that waits, and what people said about it. */
export const derived = `
-- One reading of one conversation by one deriver. A new generation is written beside the active one.
CREATE TABLE derivation (
  number       INTEGER PRIMARY KEY,
  workspace    INTEGER NOT NULL,
  conversation INTEGER NOT NULL REFERENCES conversation (number) ON DELETE CASCADE,
  deriver      TEXT    NOT NULL,
  generation   INTEGER NOT NULL,
  version      TEXT    NOT NULL,         -- the rules it was made by
  is_active    INTEGER NOT NULL,
  revision     INTEGER NOT NULL,         -- grows with every commit
  cursor       INTEGER NOT NULL,         -- how many messages were taken in
  state        TEXT    NOT NULL,         -- JSON, for the deriver to go on with
  UNIQUE (conversation, deriver, generation)
) STRICT;

CREATE TABLE reading (
  derivation INTEGER NOT NULL REFERENCES derivation (number) ON DELETE CASCADE,
  position   INTEGER NOT NULL,
  topic      INTEGER NOT NULL,           -- the position of the message that began the topic
  vector     BLOB,                       -- a scale, then one byte for each dimension
  PRIMARY KEY (derivation, position)
) STRICT, WITHOUT ROWID;

CREATE INDEX reading_by_topic ON reading (derivation, topic, position);

CREATE TABLE derived (
  number     INTEGER PRIMARY KEY AUTOINCREMENT,
  workspace  INTEGER NOT NULL,
  derivation INTEGER NOT NULL REFERENCES derivation (number) ON DELETE CASCADE,
  kind       TEXT    NOT NULL,           -- topic, summary, statement, entity
  key        TEXT    NOT NULL,
  body       TEXT    NOT NULL,           -- JSON
  vector     BLOB,                       -- 32-bit floats
  sources    TEXT    NOT NULL,           -- ids of messages, as JSON
  made_by    TEXT    NOT NULL,
  made_at    INTEGER NOT NULL,
  tokens     INTEGER NOT NULL,
  UNIQUE (derivation, kind, key)
) STRICT;

CREATE INDEX derived_by_kind ON derived (workspace, kind, number);

CREATE TABLE job (
  number       INTEGER PRIMARY KEY AUTOINCREMENT,
  workspace    INTEGER NOT NULL,
  conversation INTEGER NOT NULL REFERENCES conversation (number) ON DELETE CASCADE,
  kind         TEXT    NOT NULL,
  key          TEXT    NOT NULL,
  body         TEXT    NOT NULL,
  failures     INTEGER NOT NULL DEFAULT 0,
  error        TEXT,
  is_dead      INTEGER NOT NULL DEFAULT 0,
  run_at       INTEGER NOT NULL,         -- not before
  lease        TEXT,                     -- of whoever runs it
  leased_until INTEGER,
  created_at   INTEGER NOT NULL,
  UNIQUE (conversation, kind, key)
) STRICT;

CREATE INDEX job_by_time ON job (run_at) WHERE is_dead = 0;

-- What people and applications say beside messages: part of the record.
CREATE TABLE edit (
  number       INTEGER PRIMARY KEY AUTOINCREMENT,
  workspace    INTEGER NOT NULL REFERENCES workspace (number) ON DELETE CASCADE,
  conversation INTEGER REFERENCES conversation (number) ON DELETE CASCADE,
  kind         TEXT    NOT NULL,
  key          TEXT    NOT NULL,
  body         TEXT    NOT NULL,
  sources      TEXT    NOT NULL DEFAULT '[]',
  position     INTEGER NOT NULL,         -- how many messages the conversation had
  created_at   INTEGER NOT NULL,
  expires_at   INTEGER
) STRICT;

CREATE INDEX edit_by_kind ON edit (workspace, kind, key);
CREATE INDEX edit_by_conversation ON edit (conversation, kind, number);
`
