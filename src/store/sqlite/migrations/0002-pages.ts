/** Pages of applications: their state, the history of their queries, and its word index. */
export const pages = `
CREATE TABLE page (
  number           INTEGER PRIMARY KEY,
  workspace        INTEGER NOT NULL REFERENCES workspace (number) ON DELETE CASCADE,
  id               TEXT    NOT NULL,     -- chosen by the application
  active_file      TEXT,                 -- id of a document
  active_file_name TEXT,
  current_topic    TEXT,
  entities         TEXT    NOT NULL,     -- a JSON object, as are the preferences
  preferences      TEXT    NOT NULL,
  query_count      INTEGER NOT NULL DEFAULT 0,
  created_at       INTEGER NOT NULL,
  updated_at       INTEGER NOT NULL,
  last_used_at     INTEGER NOT NULL,
  UNIQUE (workspace, id)
) STRICT;

CREATE INDEX page_by_use ON page (workspace, last_used_at, number);
CREATE INDEX page_by_active_file ON page (workspace, active_file) WHERE active_file IS NOT NULL;

-- The number is page * 2^27 + position: a page is a range of numbers, in this table and in the index of words.
-- The results come last, so that whoever does not ask for them does not read them.
CREATE TABLE query (
  number       INTEGER PRIMARY KEY,
  workspace    INTEGER NOT NULL,
  page         INTEGER NOT NULL REFERENCES page (number) ON DELETE CASCADE,
  position     INTEGER NOT NULL,
  id           TEXT    NOT NULL,
  intent       TEXT    NOT NULL,
  is_important INTEGER NOT NULL DEFAULT 0,
  created_at   INTEGER NOT NULL,
  query        TEXT    NOT NULL,         -- JSON, as all that follows: a string
  sql          TEXT    NOT NULL,         -- a string or null
  response     TEXT    NOT NULL,         -- a string or null
  truncated    TEXT,                     -- what the results had, where only the first were kept
  results      TEXT    NOT NULL,
  UNIQUE (page, position),
  UNIQUE (workspace, id)
) STRICT;

CREATE INDEX query_important ON query (page, position) WHERE is_important = 1;

CREATE VIRTUAL TABLE query_words USING fts5 (words, scope, content = '', tokenize = 'ascii');
INSERT INTO query_words (query_words, rank) VALUES ('secure-delete', 1);
`
