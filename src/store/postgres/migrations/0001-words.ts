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
