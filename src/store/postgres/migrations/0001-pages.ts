/** Pages of applications: their state, and the history of their queries. */
export const pages = `
CREATE TABLE page (
  workspace        BIGINT  NOT NULL REFERENCES workspace (number) ON DELETE CASCADE,
  number           BIGINT  NOT NULL GENERATED ALWAYS AS IDENTITY,
  id               TEXT    NOT NULL,     -- chosen by the application
  active_file      TEXT,                 -- id of a document
  active_file_name TEXT,
  current_topic    TEXT,
  entities         TEXT    NOT NULL,     -- a JSON object, as are the preferences
  preferences      TEXT    NOT NULL,
  query_count      INTEGER NOT NULL DEFAULT 0,
  created_at       BIGINT  NOT NULL,
  updated_at       BIGINT  NOT NULL,
  last_used_at     BIGINT  NOT NULL,
  PRIMARY KEY (workspace, number),
  UNIQUE (workspace, id)
);

CREATE INDEX page_by_use ON page (workspace, last_used_at, number);
CREATE INDEX page_by_active_file ON page (workspace, active_file) WHERE active_file IS NOT NULL;

CREATE TABLE query (
  workspace    BIGINT  NOT NULL,
  page         BIGINT  NOT NULL,
  position     INTEGER NOT NULL,
  id           TEXT    NOT NULL,
  intent       TEXT    NOT NULL,
  is_important BOOLEAN NOT NULL DEFAULT FALSE,
  created_at   BIGINT  NOT NULL,
  query        TEXT    NOT NULL,         -- JSON, as all that follows: a string
  sql          TEXT    NOT NULL,         -- a string or null
  response     TEXT    NOT NULL,         -- a string or null
  truncated    TEXT,                     -- what the results had, where only the first were kept
  results      TEXT    NOT NULL,
  PRIMARY KEY (workspace, page, position),
  UNIQUE (workspace, id),
  FOREIGN KEY (workspace, page) REFERENCES page (workspace, number) ON DELETE CASCADE
);

CREATE INDEX query_important ON query (workspace, page, position) WHERE is_important;
`
