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
