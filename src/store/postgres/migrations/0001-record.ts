/** The record: workspaces, conversations, messages, blocks of older messages, receipts. */
export const record = `
CREATE TABLE setting (
  name  TEXT PRIMARY KEY,
  value TEXT NOT NULL
);

CREATE TABLE workspace (
  number     BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  id         TEXT   NOT NULL UNIQUE,
  created_at BIGINT NOT NULL             -- milliseconds since 1970, as every time here
);

-- Every key leads with the workspace, so that rows of one lie together and a table can be cut by it.
CREATE TABLE conversation (
  workspace      BIGINT  NOT NULL REFERENCES workspace (number) ON DELETE CASCADE,
  number         BIGINT  NOT NULL GENERATED ALWAYS AS IDENTITY,
  id             TEXT    NOT NULL,       -- chosen by the application
  title          TEXT,
  is_title_given BOOLEAN NOT NULL DEFAULT FALSE,
  tags           TEXT    NOT NULL DEFAULT '[]',
  is_pinned      BOOLEAN NOT NULL DEFAULT FALSE,
  archived_at    BIGINT,
  is_memory_on   BOOLEAN NOT NULL DEFAULT TRUE,
  documents      TEXT    NOT NULL DEFAULT '[]',
  metadata       TEXT    NOT NULL DEFAULT '{}',
  forked_from    TEXT,                   -- conversation, message and position, as JSON
  message_count  INTEGER NOT NULL DEFAULT 0,
  token_count    BIGINT  NOT NULL DEFAULT 0,
  created_at     BIGINT  NOT NULL,
  last_used_at   BIGINT  NOT NULL,
  first_said_at  BIGINT,                 -- the earliest time of its messages
  last_message   BIGINT,                 -- the number of the one recorded last
  PRIMARY KEY (workspace, number),
  UNIQUE (workspace, id)
) WITH (fillfactor = 80);

CREATE INDEX conversation_by_use ON conversation (workspace, last_used_at, number);
CREATE INDEX conversation_by_last ON conversation (workspace, last_message);
-- Few, so that whoever looks through all the others leaves them out at no cost.
CREATE INDEX conversation_forgetful ON conversation (workspace, number) WHERE NOT is_memory_on;

CREATE TABLE message (
  workspace     BIGINT  NOT NULL,
  conversation  BIGINT  NOT NULL,
  position      INTEGER NOT NULL,        -- 0, 1, 2 … without gaps
  number        BIGINT  NOT NULL GENERATED ALWAYS AS IDENTITY, -- the order of recording
  id            TEXT    NOT NULL,
  role          TEXT    NOT NULL,
  name          TEXT,
  content       TEXT    NOT NULL,        -- JSON: a string, or an array of parts
  metadata      TEXT,
  importance    DOUBLE PRECISION,
  tokens        INTEGER NOT NULL,
  tokenizer     TEXT    NOT NULL,
  tokens_before BIGINT  NOT NULL,        -- sum over the messages before it
  append_key    TEXT,
  copy_of       TEXT,                    -- in a fork: the id of the first original
  created_at    BIGINT  NOT NULL,
  recorded_at   BIGINT  NOT NULL,
  erased_at     BIGINT,
  -- Where the words are, if not here: content is then '' and metadata NULL. 0, or a block that is not there: the
  -- words are lost.
  block         BIGINT,
  PRIMARY KEY (workspace, conversation, position),
  UNIQUE (workspace, id),
  FOREIGN KEY (workspace, conversation) REFERENCES conversation (workspace, number) ON DELETE CASCADE
);

CREATE INDEX message_by_append_key ON message (workspace, conversation, append_key) WHERE append_key IS NOT NULL;
CREATE INDEX message_by_original ON message (workspace, copy_of) WHERE copy_of IS NOT NULL;
CREATE INDEX message_system ON message (workspace, conversation, position) WHERE role = 'system';
CREATE INDEX message_by_time ON message (workspace, conversation, created_at, position);

-- Older messages, compressed. A block is never changed: what would change it writes another under a new number. The
-- format is explained in src/store/pack-messages.ts.
CREATE TABLE block (
  workspace    BIGINT  NOT NULL,
  number       BIGINT  NOT NULL GENERATED ALWAYS AS IDENTITY,
  conversation BIGINT  NOT NULL,
  positions    TEXT    NOT NULL,         -- of its messages, in order: 3-9,12
  messages     INTEGER NOT NULL,
  bytes        INTEGER NOT NULL,         -- what body takes unpacked
  body         BYTEA   NOT NULL,
  PRIMARY KEY (workspace, number),
  FOREIGN KEY (workspace, conversation) REFERENCES conversation (workspace, number) ON DELETE CASCADE
);

-- It is compressed already.
ALTER TABLE block ALTER COLUMN body SET STORAGE EXTERNAL;
CREATE INDEX block_by_conversation ON block (workspace, conversation, number);

CREATE TABLE receipt (
  workspace    BIGINT NOT NULL,
  conversation BIGINT NOT NULL,
  number       BIGINT NOT NULL GENERATED ALWAYS AS IDENTITY,
  id           TEXT   NOT NULL,
  body         TEXT   NOT NULL,          -- JSON, without any words of the conversation
  PRIMARY KEY (workspace, conversation, number),
  FOREIGN KEY (workspace, conversation) REFERENCES conversation (workspace, number) ON DELETE CASCADE
);
`
