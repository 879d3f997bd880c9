/** Documents: metadata and text of files, their chunks, the word index, and who sees them. */
export const documents = `
-- AUTOINCREMENT, so that the number in a place stands for the same document for ever.
CREATE TABLE document (
  number            INTEGER PRIMARY KEY AUTOINCREMENT,
  workspace         INTEGER NOT NULL REFERENCES workspace (number) ON DELETE CASCADE,
  id                TEXT    NOT NULL,
  name              TEXT    NOT NULL,
  media_type        TEXT    NOT NULL,
  format            TEXT    NOT NULL,
  version           INTEGER NOT NULL,
  content_hash      TEXT    NOT NULL,    -- SHA-256 of the file
  bytes             INTEGER NOT NULL,    -- of the file
  characters        INTEGER NOT NULL,    -- of the text, as is tokens
  tokens            INTEGER NOT NULL,
  tokenizer         TEXT    NOT NULL,
  chunk_count       INTEGER NOT NULL,
  is_workspace_wide INTEGER NOT NULL,
  created_at        INTEGER NOT NULL,
  updated_at        INTEGER NOT NULL,
  UNIQUE (workspace, id),
  UNIQUE (workspace, content_hash)
) STRICT;

CREATE INDEX document_workspace_wide ON document (workspace) WHERE is_workspace_wide = 1;

-- Brotli: the text, and a list of its blocks as JSON (kind, start, end, and level and title of headings).
CREATE TABLE document_text (
  document INTEGER PRIMARY KEY REFERENCES document (number) ON DELETE CASCADE,
  text     BLOB NOT NULL,
  blocks   BLOB NOT NULL
) STRICT;

CREATE TABLE chunk (
  place        INTEGER PRIMARY KEY,      -- the document's number times 2^24, plus the chunk's index
  heading_path TEXT    NOT NULL,         -- a JSON array
  text         TEXT    NOT NULL,
  tokens       INTEGER NOT NULL,
  starts_at    INTEGER NOT NULL,         -- in the text of the document, in UTF-16 units
  ends_at      INTEGER NOT NULL,
  document     INTEGER GENERATED ALWAYS AS (place >> 24) VIRTUAL
) STRICT;

CREATE TRIGGER document_chunks AFTER DELETE ON document BEGIN
  DELETE FROM chunk WHERE place >= old.number << 24 AND place < (old.number + 1) << 24;
END;

CREATE VIRTUAL TABLE chunk_words USING fts5 (words, scope, content = '', tokenize = 'ascii');
INSERT INTO chunk_words (chunk_words, rank) VALUES ('secure-delete', 1);

-- The lists of documents that conversations have, the other way round. Not every id has to be that of a document.
CREATE TABLE attachment (
  workspace    INTEGER NOT NULL,
  document_id  TEXT    NOT NULL,
  conversation INTEGER NOT NULL REFERENCES conversation (number) ON DELETE CASCADE,
  PRIMARY KEY (workspace, document_id, conversation)
) STRICT, WITHOUT ROWID;

CREATE INDEX attachment_by_conversation ON attachment (conversation);

INSERT OR IGNORE INTO attachment
  SELECT c.workspace, d.value, c.number FROM conversation c, json_each(c.documents) d;

CREATE TRIGGER conversation_documents AFTER UPDATE OF documents ON conversation WHEN new.documents <> old.documents BEGIN
  DELETE FROM attachment WHERE conversation = new.number;
  INSERT OR IGNORE INTO attachment SELECT new.workspace, value, new.number FROM json_each(new.documents);
END;
`

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

/** Locators: the word index and an index of times refer to messages by locator, without reading their rows. */
export const places = `
-- The number of an entry is now the message's place: conversation * 2^24 + position. A conversation is a range of
-- numbers, so that scope holds the word for the workspace only. No sizes of columns are kept: nobody ranks by them.
DROP TABLE message_words;
CREATE VIRTUAL TABLE message_words USING fts5 (words, scope, content = '', columnsize = 0, tokenize = 'ascii');
INSERT INTO message_words (message_words, rank) VALUES ('secure-delete', 1);
-- No such version: the entries are made anew when the file is opened.
INSERT OR REPLACE INTO setting SELECT 'words-version', '0' WHERE EXISTS (SELECT 1 FROM message);

CREATE INDEX message_by_time ON message (conversation, created_at, position, erased_at);

ALTER TABLE conversation ADD COLUMN first_said_at INTEGER;  -- the earliest time of its messages
ALTER TABLE conversation ADD COLUMN last_message INTEGER;   -- the number of the one recorded last
UPDATE conversation SET
  first_said_at = (SELECT min(created_at) FROM message m WHERE m.conversation = conversation.number),
  last_message = (SELECT m.number FROM message m WHERE m.conversation = conversation.number ORDER BY position DESC LIMIT 1);

-- An append changes its entry anyway; with all that is asked of many conversations at once in it, nobody has to
-- read their rows.
DROP INDEX conversation_by_use;
CREATE INDEX conversation_by_use ON conversation
  (workspace, last_used_at, number, is_memory_on, message_count, token_count, first_said_at, last_message);
CREATE INDEX conversation_off ON conversation (workspace, number) WHERE is_memory_on = 0;
`

/** Sketches of the vectors of messages. */
export const sketches = `
-- What is left of a vector in 256 bits: enough to tell among a million which are worth reading. For every reading
-- that has a vector; see src/store/sketch.ts.
CREATE TABLE sketch (
  place INTEGER PRIMARY KEY,             -- of the reading
  bits  BLOB    NOT NULL                 -- the position in four bytes, then the bits
) STRICT;

CREATE TRIGGER derivation_sketches AFTER DELETE ON derivation BEGIN
  DELETE FROM sketch WHERE place >= old.number << 24 AND place < (old.number + 1) << 24;
END;
`
