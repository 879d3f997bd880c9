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
