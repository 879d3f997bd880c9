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
