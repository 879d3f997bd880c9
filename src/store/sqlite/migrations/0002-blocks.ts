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
