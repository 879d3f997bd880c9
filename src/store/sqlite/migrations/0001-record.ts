/** The record: workspaces, conversations, messages, their word index, receipts. */
export const record = `
CREATE TABLE setting (
  name  TEXT PRIMARY KEY,
  value TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE workspace (
  number     INTEGER PRIMARY KEY,
  id         TEXT    NOT NULL UNIQUE,
  created_at INTEGER NOT NULL            -- milliseconds since 1970, as every time here
) STRICT;

CREATE TABLE conversation (
  number         INTEGER PRIMARY KEY,
  workspace      INTEGER NOT NULL REFERENCES workspace (number) ON DELETE CASCADE,
  id             TEXT    NOT NULL,       -- chosen by the application
  title          TEXT,
  is_title_given INTEGER NOT NULL DEFAULT 0,
  tags           TEXT    NOT NULL DEFAULT '[]',
  is_pinned      INTEGER NOT NULL DEFAULT 0,
  archived_at    INTEGER,
  is_memory_on   INTEGER NOT NULL DEFAULT 1,
  documents      TEXT    NOT NULL DEFAULT '[]',
  metadata       TEXT    NOT NULL DEFAULT '{}',
  forked_from    TEXT,                   -- conversation, message and position, as JSON
  message_count  INTEGER NOT NULL DEFAULT 0,
  token_count    INTEGER NOT NULL DEFAULT 0,
  created_at     INTEGER NOT NULL,
  last_used_at   INTEGER NOT NULL,
  UNIQUE (workspace, id)
) STRICT;

CREATE INDEX conversation_by_use ON conversation (workspace, last_used_at, number);

CREATE TABLE message (
  number        INTEGER PRIMARY KEY,
  workspace     INTEGER NOT NULL,
  conversation  INTEGER NOT NULL REFERENCES conversation (number) ON DELETE CASCADE,
  position      INTEGER NOT NULL,        -- 0, 1, 2 … without gaps
  id            TEXT    NOT NULL,
  role          TEXT    NOT NULL,
  name          TEXT,
  content       TEXT    NOT NULL,        -- JSON: a string, or an array of parts
  metadata      TEXT,
  importance    REAL,
  tokens        INTEGER NOT NULL,
  tokenizer     TEXT    NOT NULL,
  tokens_before INTEGER NOT NULL,        -- sum over the messages before it
  append_key    TEXT,
  copy_of       TEXT,                    -- in a fork: the id of the first original
  created_at    INTEGER NOT NULL,
  recorded_at   INTEGER NOT NULL,
  erased_at     INTEGER,
  UNIQUE (conversation, position),
  UNIQUE (workspace, id)
) STRICT;

CREATE INDEX message_by_append_key ON message (conversation, append_key) WHERE append_key IS NOT NULL;
CREATE INDEX message_by_original ON message (workspace, copy_of) WHERE copy_of IS NOT NULL;
CREATE INDEX message_system ON message (conversation, position) WHERE role = 'system';

-- The words come folded and separated by spaces, so that the plainest tokenizer serves. Scope holds one
-- word for the workspace and one for the conversation: the index itself narrows a search to them.
CREATE VIRTUAL TABLE message_words USING fts5 (words, scope, content = '', tokenize = 'ascii');
INSERT INTO message_words (message_words, rank) VALUES ('secure-delete', 1);

CREATE VIRTUAL TABLE conversation_words USING fts5 (words, scope, content = '', tokenize = 'ascii');
INSERT INTO conversation_words (conversation_words, rank) VALUES ('secure-delete', 1);

CREATE TABLE receipt (
  number        INTEGER PRIMARY KEY,
  conversation  INTEGER NOT NULL REFERENCES conversation (number) ON DELETE CASCADE,
  id            TEXT    NOT NULL,
  body          TEXT    NOT NULL         -- JSON, without any words of the conversation
) STRICT;

CREATE INDEX receipt_by_conversation ON receipt (conversation, number);
`
