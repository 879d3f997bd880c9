/** Derived data, jobs and edits. */
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

CREATE UNIQUE INDEX derivation_active ON derivation (conversation, deriver) WHERE is_active = 1;
CREATE INDEX derivation_by_version ON derivation (deriver, version, conversation) WHERE is_active = 1;

-- Rows lie in the order in which they are read, and a vector of any usual length beside its message.
CREATE TABLE reading (
  place      INTEGER PRIMARY KEY,        -- the derivation's number times 2^24, plus the position
  topic      INTEGER NOT NULL,           -- the position of the message that began the topic
  vector     BLOB,                       -- a scale, then one byte for each dimension
  derivation INTEGER GENERATED ALWAYS AS (place >> 24) VIRTUAL,
  position   INTEGER GENERATED ALWAYS AS (place & 0xffffff) VIRTUAL
) STRICT;

CREATE INDEX reading_by_topic ON reading (derivation, topic);

CREATE TRIGGER derivation_readings AFTER DELETE ON derivation BEGIN
  DELETE FROM reading WHERE place >= old.number << 24 AND place < (old.number + 1) << 24;
END;

CREATE TABLE derived (
  number     INTEGER PRIMARY KEY,
  workspace  INTEGER NOT NULL,
  derivation INTEGER NOT NULL REFERENCES derivation (number) ON DELETE CASCADE,
  kind       TEXT    NOT NULL,           -- topic, summary, statement, entity, note
  key        TEXT    NOT NULL,
  ordinal    INTEGER NOT NULL,           -- of its kind in the workspace: higher for what was put later
  body       TEXT    NOT NULL,           -- JSON
  vector     BLOB,                       -- 32-bit floats
  sources    TEXT    NOT NULL,           -- ids of messages, as JSON
  made_by    TEXT    NOT NULL,
  made_at    INTEGER NOT NULL,
  tokens     INTEGER NOT NULL,
  UNIQUE (derivation, kind, key)
) STRICT;

CREATE INDEX derived_by_kind ON derived (workspace, kind, ordinal);
CREATE INDEX derived_by_key ON derived (workspace, kind, key);

CREATE TABLE job (
  number       INTEGER PRIMARY KEY AUTOINCREMENT,
  workspace    INTEGER NOT NULL,
  conversation INTEGER NOT NULL REFERENCES conversation (number) ON DELETE CASCADE,
  kind         TEXT    NOT NULL,
  key          TEXT    NOT NULL,
  body         TEXT    NOT NULL,         -- JSON
  state        TEXT    NOT NULL DEFAULT 'waiting', -- waiting, running, dead
  is_next      INTEGER NOT NULL,         -- 1 for the one job of its conversation and kind whose turn it is
  failures     INTEGER NOT NULL DEFAULT 0,
  error        TEXT,
  run_at       INTEGER NOT NULL,         -- not before
  due_at       INTEGER NOT NULL,         -- when it can be claimed: run_at, or the end of the lease
  lease        TEXT,                     -- of whoever runs it
  created_at   INTEGER NOT NULL
) STRICT;

CREATE INDEX job_due ON job (due_at, number) WHERE is_next = 1;
CREATE INDEX job_due_of_kind ON job (kind, due_at, number) WHERE is_next = 1;
CREATE INDEX job_in_line ON job (conversation, kind, number) WHERE state <> 'dead';
CREATE INDEX job_by_key ON job (conversation, kind, key);
CREATE INDEX job_by_state ON job (workspace, state, number);

-- What people and applications say beside messages: part of the record.
CREATE TABLE edit (
  number       INTEGER PRIMARY KEY AUTOINCREMENT,
  workspace    INTEGER NOT NULL REFERENCES workspace (number) ON DELETE CASCADE,
  conversation INTEGER REFERENCES conversation (number) ON DELETE CASCADE,
  kind         TEXT    NOT NULL,
  key          TEXT    NOT NULL,
  body         TEXT    NOT NULL,         -- JSON
  sources      TEXT,                     -- ids of messages, as JSON
  position     INTEGER NOT NULL,         -- how many messages the conversation had
  created_at   INTEGER NOT NULL,
  expires_at   INTEGER
) STRICT;

CREATE INDEX edit_in_order ON edit (workspace, number);
CREATE INDEX edit_by_kind ON edit (workspace, kind, conversation, key);
CREATE INDEX edit_by_conversation ON edit (conversation);

-- How often things of a kind have gone from a workspace. With the highest number that is left it tells whether
-- a list has changed, without counting. It outlives its workspace, whose number may be used again.
CREATE TABLE departure (
  workspace INTEGER NOT NULL,
  kind      TEXT    NOT NULL,            -- a kind of derived things, 'edit', or 'words' for what was erased
  count     INTEGER NOT NULL,
  PRIMARY KEY (workspace, kind)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER derived_gone AFTER DELETE ON derived BEGIN
  INSERT INTO departure VALUES (old.workspace, old.kind, 1) ON CONFLICT DO UPDATE SET count = count + 1;
END;

-- What was put before its generation became active is seen only now: readers have to look at all of it.
CREATE TRIGGER derived_seen AFTER UPDATE OF is_active ON derivation WHEN new.is_active <> old.is_active BEGIN
  INSERT INTO departure SELECT DISTINCT workspace, kind, 1 FROM derived WHERE derivation = new.number
    ON CONFLICT DO UPDATE SET count = count + 1;
END;

CREATE TRIGGER edit_gone AFTER DELETE ON edit BEGIN
  INSERT INTO departure VALUES (old.workspace, 'edit', 1) ON CONFLICT DO UPDATE SET count = count + 1;
END;

CREATE TRIGGER message_gone AFTER UPDATE OF erased_at ON message BEGIN
  INSERT INTO departure VALUES (old.workspace, 'words', 1) ON CONFLICT DO UPDATE SET count = count + 1;
END;

CREATE TRIGGER conversation_gone AFTER DELETE ON conversation BEGIN
  INSERT INTO departure VALUES (old.workspace, 'words', 1) ON CONFLICT DO UPDATE SET count = count + 1;
  DELETE FROM unread WHERE conversation = old.number AND deriver IN (SELECT name FROM deriver);
END;

-- Conversations that a deriver may have to read on: every one with memory on of which its active derivation
-- lacks messages, for every deriver that was ever at work. Some may have been read since: they are taken out
-- when somebody looks, which costs less than a write with every message.
CREATE TABLE deriver (
  name TEXT PRIMARY KEY
) STRICT, WITHOUT ROWID;

CREATE TABLE unread (
  deriver      TEXT    NOT NULL,
  conversation INTEGER NOT NULL,
  PRIMARY KEY (deriver, conversation)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER conversation_unread AFTER UPDATE OF message_count, is_memory_on ON conversation
WHEN new.is_memory_on = 1 AND new.message_count > iif(old.is_memory_on = 1, old.message_count, 0) BEGIN
  INSERT OR IGNORE INTO unread SELECT name, new.number FROM deriver;
END;

CREATE TRIGGER conversation_unwanted AFTER UPDATE OF is_memory_on ON conversation WHEN new.is_memory_on = 0 BEGIN
  DELETE FROM derivation WHERE conversation = new.number;
  DELETE FROM job WHERE conversation = new.number;
  DELETE FROM unread WHERE conversation = new.number AND deriver IN (SELECT name FROM deriver);
END;

CREATE TRIGGER derivation_gone AFTER DELETE ON derivation WHEN old.is_active = 1 BEGIN
  INSERT OR IGNORE INTO unread SELECT old.deriver, number FROM conversation
    WHERE number = old.conversation AND is_memory_on = 1 AND message_count > 0;
END;
`

/** Blocks: the content and metadata of older messages move to a compressed block; their rows stay. */
export const blocks = `
-- A block is never changed: what would change it writes another under a new number. AUTOINCREMENT, so that a
-- number stands for the same bytes for ever. The format is explained in src/store/pack-messages.ts.
CREATE TABLE block (
  number       INTEGER PRIMARY KEY AUTOINCREMENT,
  conversation INTEGER NOT NULL REFERENCES conversation (number) ON DELETE CASCADE,
  positions    TEXT    NOT NULL,         -- of its messages, in order: 3-9,12
  messages     INTEGER NOT NULL,
  bytes        INTEGER NOT NULL,         -- what body takes unpacked
  body         BLOB    NOT NULL
) STRICT;

CREATE INDEX block_by_conversation ON block (conversation, number);

-- Where the words are, if not here: content is then '' and metadata NULL. 0, or a block that is not there:
-- the words are lost.
ALTER TABLE message ADD COLUMN block INTEGER;
`

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
