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
