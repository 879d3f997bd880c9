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

/** Documents: the stored files, their chunks, and who can see them. */
export const documents = `
CREATE TABLE document (
  workspace         BIGINT  NOT NULL REFERENCES workspace (number) ON DELETE CASCADE,
  number            BIGINT  NOT NULL GENERATED ALWAYS AS IDENTITY,
  id                TEXT    NOT NULL,
  name              TEXT    NOT NULL,
  media_type        TEXT    NOT NULL,
  format            TEXT    NOT NULL,
  version           INTEGER NOT NULL,
  content_hash      TEXT    NOT NULL,    -- SHA-256 of the file
  bytes             BIGINT  NOT NULL,    -- of the file
  characters        BIGINT  NOT NULL,    -- of the text, as is tokens
  tokens            BIGINT  NOT NULL,
  tokenizer         TEXT    NOT NULL,
  chunk_count       INTEGER NOT NULL,
  is_workspace_wide BOOLEAN NOT NULL,
  created_at        BIGINT  NOT NULL,
  updated_at        BIGINT  NOT NULL,
  PRIMARY KEY (workspace, number),
  UNIQUE (workspace, id)
);

-- By a digest, here and below: an index takes no long texts.
CREATE UNIQUE INDEX document_by_content ON document (workspace, md5(content_hash));
CREATE INDEX document_workspace_wide ON document (workspace, number) WHERE is_workspace_wide;

-- Brotli: the text, and a list of its blocks as JSON (kind, start, end, and level and title of headings).
CREATE TABLE document_text (
  workspace BIGINT NOT NULL,
  document  BIGINT NOT NULL,
  text      BYTEA  NOT NULL,
  blocks    BYTEA  NOT NULL,
  PRIMARY KEY (workspace, document),
  FOREIGN KEY (workspace, document) REFERENCES document (workspace, number) ON DELETE CASCADE
);

CREATE TABLE chunk (
  workspace    BIGINT  NOT NULL,
  document     BIGINT  NOT NULL,
  position     INTEGER NOT NULL,
  heading_path TEXT    NOT NULL,         -- a JSON array
  text         TEXT    NOT NULL,
  tokens       INTEGER NOT NULL,
  starts_at    BIGINT  NOT NULL,         -- in the text of the document, in UTF-16 units
  ends_at      BIGINT  NOT NULL,
  PRIMARY KEY (workspace, document, position),
  FOREIGN KEY (workspace, document) REFERENCES document (workspace, number) ON DELETE CASCADE
);

-- The lists of documents that conversations have, the other way round. Not every id has to be that of a document.
CREATE TABLE attachment (
  workspace    BIGINT NOT NULL,
  document_id  TEXT   NOT NULL,
  conversation BIGINT NOT NULL,
  PRIMARY KEY (workspace, document_id, conversation),
  FOREIGN KEY (workspace, conversation) REFERENCES conversation (workspace, number) ON DELETE CASCADE
);

CREATE INDEX attachment_by_conversation ON attachment (workspace, conversation);
`

/** API keys; each gives access to one workspace. */
export const keys = `
CREATE TABLE access_key (
  workspace    BIGINT NOT NULL REFERENCES workspace (number) ON DELETE CASCADE,
  number       BIGINT NOT NULL GENERATED ALWAYS AS IDENTITY,
  id           TEXT   NOT NULL UNIQUE,
  name         TEXT   NOT NULL,
  scope        TEXT   NOT NULL,          -- metrics, read, write, admin
  digest       TEXT   NOT NULL,          -- SHA-256 of the key, in hexadecimal: the key itself is kept nowhere
  created_at   BIGINT NOT NULL,
  last_used_at BIGINT,
  PRIMARY KEY (workspace, number)
);
`

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

/** The word index. */
export const words = `
-- Which entries have a word: 256 that follow one another share a row, which has a byte for each that has it. An entry is
-- a message or a chunk by its place, a query by its page and position, a conversation by its number (times 256, so that
-- none shares a row with another). No reference to the workspace: it would be checked for each row, which takes longer
-- than writing it. See src/store/postgres/word-index.ts.
CREATE TABLE indexed_word (
  workspace BIGINT   NOT NULL,
  block     BIGINT   NOT NULL,           -- the number of the entry, divided by 256
  kind      SMALLINT NOT NULL,           -- 1 messages, 2 conversations, 3 queries, 4 chunks
  word      TEXT     COLLATE "C" NOT NULL,
  entries   BYTEA    NOT NULL,           -- what is left of the number, a byte each, each once
  PRIMARY KEY (workspace, kind, word, block)
) WITH (fillfactor = 85);
`

/** Derived data, jobs, and edits by people. */
export const derived = `
-- One reading of one conversation by one deriver. A new generation is written beside the active one.
CREATE TABLE derivation (
  workspace    BIGINT  NOT NULL,
  number       BIGINT  NOT NULL GENERATED ALWAYS AS IDENTITY,
  conversation BIGINT  NOT NULL,
  deriver      TEXT    NOT NULL,
  generation   INTEGER NOT NULL,
  version      TEXT    NOT NULL,         -- the rules it was made by
  is_active    BOOLEAN NOT NULL,
  revision     INTEGER NOT NULL,         -- grows with every commit
  cursor       INTEGER NOT NULL,         -- how many messages were taken in
  state        TEXT    NOT NULL,         -- JSON, for the deriver to go on with
  PRIMARY KEY (workspace, number),
  UNIQUE (workspace, conversation, deriver, generation),
  FOREIGN KEY (workspace, conversation) REFERENCES conversation (workspace, number) ON DELETE CASCADE
) WITH (fillfactor = 70);

CREATE UNIQUE INDEX derivation_active ON derivation (workspace, conversation, deriver) WHERE is_active;
CREATE INDEX derivation_by_version ON derivation (deriver, version) WHERE is_active;

CREATE TABLE reading (
  workspace  BIGINT  NOT NULL,
  derivation BIGINT  NOT NULL,
  position   INTEGER NOT NULL,
  topic      INTEGER NOT NULL,           -- the position of the message that began the topic
  vector     BYTEA,                      -- a scale, then one byte for each dimension
  sketch     BIT(256),                   -- what is left of the vector in 256 bits: src/store/sketch.ts
  PRIMARY KEY (workspace, derivation, position),
  FOREIGN KEY (workspace, derivation) REFERENCES derivation (workspace, number) ON DELETE CASCADE
);

CREATE INDEX reading_by_topic ON reading (workspace, derivation, topic);

CREATE TABLE derived (
  workspace  BIGINT  NOT NULL,
  derivation BIGINT  NOT NULL,
  kind       TEXT    NOT NULL,           -- topic, summary, statement, entity, note
  key        TEXT    NOT NULL,
  ordinal    BIGINT  NOT NULL,           -- of its kind in the workspace: higher for what was put later
  body       TEXT    NOT NULL,           -- JSON
  vector     BYTEA,                      -- 32-bit floats
  sources    TEXT    NOT NULL,           -- ids of messages, as JSON
  made_by    TEXT    NOT NULL,
  made_at    BIGINT  NOT NULL,
  tokens     INTEGER NOT NULL,
  PRIMARY KEY (workspace, kind, ordinal),
  FOREIGN KEY (workspace, derivation) REFERENCES derivation (workspace, number) ON DELETE CASCADE
);

CREATE UNIQUE INDEX derived_once ON derived (workspace, derivation, kind, md5(key));
CREATE INDEX derived_by_key ON derived (workspace, kind, md5(key));

CREATE TABLE job (
  workspace    BIGINT  NOT NULL,
  number       BIGINT  NOT NULL GENERATED ALWAYS AS IDENTITY,
  conversation BIGINT  NOT NULL,
  kind         TEXT    NOT NULL,
  key          TEXT    NOT NULL,
  body         TEXT    NOT NULL,         -- JSON
  state        TEXT    NOT NULL DEFAULT 'waiting', -- waiting, running, dead
  is_next      BOOLEAN NOT NULL,         -- for the one job of its conversation and kind whose turn it is
  failures     INTEGER NOT NULL DEFAULT 0,
  error        TEXT,
  run_at       BIGINT  NOT NULL,         -- not before
  due_at       BIGINT  NOT NULL,         -- when it can be claimed: run_at, or the end of the lease
  lease        TEXT,                     -- of whoever runs it
  created_at   BIGINT  NOT NULL,
  PRIMARY KEY (workspace, number),
  FOREIGN KEY (workspace, conversation) REFERENCES conversation (workspace, number) ON DELETE CASCADE
);

CREATE INDEX job_by_number ON job (number);
CREATE INDEX job_due ON job (due_at, number) WHERE is_next;
CREATE INDEX job_due_of_kind ON job (kind, due_at, number) WHERE is_next;
CREATE INDEX job_in_line ON job (workspace, conversation, kind, number);
CREATE INDEX job_by_state ON job (workspace, state, number);

-- What people and applications say beside messages: part of the record.
CREATE TABLE edit (
  workspace    BIGINT  NOT NULL REFERENCES workspace (number) ON DELETE CASCADE,
  number       BIGINT  NOT NULL GENERATED ALWAYS AS IDENTITY,
  conversation BIGINT,
  kind         TEXT    NOT NULL,
  key          TEXT    NOT NULL,
  body         TEXT    NOT NULL,         -- JSON
  sources      TEXT[],                   -- ids of messages
  position     INTEGER NOT NULL,         -- how many messages the conversation had
  created_at   BIGINT  NOT NULL,
  expires_at   BIGINT,
  PRIMARY KEY (workspace, number),
  FOREIGN KEY (workspace, conversation) REFERENCES conversation (workspace, number) ON DELETE CASCADE
);

CREATE INDEX edit_by_kind ON edit (workspace, kind, conversation);
CREATE INDEX edit_by_conversation ON edit (workspace, conversation);

-- How often things of a kind have gone from a workspace, and the last number that one was given. Together they tell
-- whether a list has changed, without counting; whoever puts things of a kind holds its row, so that none with a lower
-- number comes later. It outlives its workspace, whose number is never used again.
CREATE TABLE departure (
  workspace BIGINT NOT NULL,
  kind      TEXT   NOT NULL,             -- a kind of derived things, 'edit', or 'words' for what was erased
  count     BIGINT NOT NULL DEFAULT 0,
  last      BIGINT NOT NULL DEFAULT 0,
  PRIMARY KEY (workspace, kind)
) WITH (fillfactor = 50);

CREATE FUNCTION note_gone() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO departure (workspace, kind, count) SELECT workspace, kind, count(*) FROM gone GROUP BY 1, 2 ORDER BY 1, 2
    ON CONFLICT (workspace, kind) DO UPDATE SET count = departure.count + excluded.count;
  RETURN NULL;
END $$;

CREATE TRIGGER derived_gone AFTER DELETE ON derived REFERENCING OLD TABLE AS gone
  FOR EACH STATEMENT EXECUTE FUNCTION note_gone();

CREATE FUNCTION note_edits_gone() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO departure (workspace, kind, count) SELECT workspace, 'edit', count(*) FROM gone GROUP BY 1 ORDER BY 1
    ON CONFLICT (workspace, kind) DO UPDATE SET count = departure.count + excluded.count;
  RETURN NULL;
END $$;

CREATE TRIGGER edit_gone AFTER DELETE ON edit REFERENCING OLD TABLE AS gone
  FOR EACH STATEMENT EXECUTE FUNCTION note_edits_gone();

CREATE FUNCTION note_words_gone() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO departure (workspace, kind, count) SELECT workspace, 'words', count(*) FROM gone GROUP BY 1 ORDER BY 1
    ON CONFLICT (workspace, kind) DO UPDATE SET count = departure.count + excluded.count;
  RETURN NULL;
END $$;

CREATE TRIGGER conversation_gone AFTER DELETE ON conversation REFERENCING OLD TABLE AS gone
  FOR EACH STATEMENT EXECUTE FUNCTION note_words_gone();

CREATE FUNCTION note_message_gone() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO departure (workspace, kind, count) VALUES (new.workspace, 'words', 1)
    ON CONFLICT (workspace, kind) DO UPDATE SET count = departure.count + 1;
  RETURN NULL;
END $$;

CREATE TRIGGER message_gone AFTER UPDATE OF erased_at ON message FOR EACH ROW EXECUTE FUNCTION note_message_gone();

-- What was put before its generation became active is seen only now: readers have to look at all of it.
CREATE FUNCTION note_seen() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO departure (workspace, kind, count)
    SELECT DISTINCT workspace, kind, 1 FROM derived WHERE workspace = new.workspace AND derivation = new.number ORDER BY 2
    ON CONFLICT (workspace, kind) DO UPDATE SET count = departure.count + 1;
  RETURN NULL;
END $$;

CREATE TRIGGER derived_seen AFTER UPDATE OF is_active ON derivation FOR EACH ROW
  WHEN (new.is_active <> old.is_active) EXECUTE FUNCTION note_seen();

-- Conversations that a deriver may have to read on: every one with memory on of which its active derivation lacks
-- messages, for every deriver that was ever at work. Some may have been read since: they are taken out when somebody
-- looks, which costs less than a write with every message.
CREATE TABLE deriver (
  name TEXT PRIMARY KEY
);

CREATE TABLE unread (
  deriver      TEXT   NOT NULL,
  workspace    BIGINT NOT NULL,
  conversation BIGINT NOT NULL,
  PRIMARY KEY (workspace, conversation, deriver),
  FOREIGN KEY (workspace, conversation) REFERENCES conversation (workspace, number) ON DELETE CASCADE
);

CREATE INDEX unread_by_deriver ON unread (deriver, conversation);

CREATE FUNCTION note_unread() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO unread (deriver, workspace, conversation) SELECT name, new.workspace, new.number FROM deriver
    ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;

CREATE TRIGGER conversation_unread AFTER UPDATE OF message_count, is_memory_on ON conversation FOR EACH ROW
  WHEN (new.is_memory_on AND new.message_count > CASE WHEN old.is_memory_on THEN old.message_count ELSE 0 END)
  EXECUTE FUNCTION note_unread();

CREATE FUNCTION drop_unwanted() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM derivation WHERE workspace = new.workspace AND conversation = new.number;
  DELETE FROM job WHERE workspace = new.workspace AND conversation = new.number;
  DELETE FROM unread WHERE workspace = new.workspace AND conversation = new.number;
  RETURN NULL;
END $$;

CREATE TRIGGER conversation_unwanted AFTER UPDATE OF is_memory_on ON conversation FOR EACH ROW
  WHEN (NOT new.is_memory_on) EXECUTE FUNCTION drop_unwanted();

CREATE FUNCTION note_derivation_gone() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO unread (deriver, workspace, conversation) SELECT old.deriver, workspace, number FROM conversation
    WHERE workspace = old.workspace AND number = old.conversation AND is_memory_on AND message_count > 0
    ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;

CREATE TRIGGER derivation_gone AFTER DELETE ON derivation FOR EACH ROW
  WHEN (old.is_active) EXECUTE FUNCTION note_derivation_gone();
`
