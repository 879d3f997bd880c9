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
