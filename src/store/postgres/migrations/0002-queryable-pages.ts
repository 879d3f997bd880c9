/** Pages and queries as SQL can read them: JSON as jsonb, times as timestamptz. */
export const queryablePages = `
CREATE FUNCTION to_jsonb_or_marked(given TEXT) RETURNS JSONB LANGUAGE plpgsql AS $$
-- jsonb has no NUL and no half surrogate pairs: a value with one is a string, the mark and then the JSON
BEGIN
  RETURN given::jsonb;
EXCEPTION WHEN data_exception THEN
  RETURN to_jsonb(chr(1) || given);
END $$;

CREATE FUNCTION to_time(milliseconds BIGINT) RETURNS TIMESTAMPTZ LANGUAGE sql AS $$
  SELECT TIMESTAMPTZ 'epoch' + milliseconds * INTERVAL '1 millisecond'
$$;

ALTER TABLE page
  ADD COLUMN active_file_metadata JSONB,  -- what the application says about the file beside id and name
  ALTER COLUMN entities     TYPE JSONB       USING to_jsonb_or_marked(entities),
  ALTER COLUMN preferences  TYPE JSONB       USING to_jsonb_or_marked(preferences),
  ALTER COLUMN created_at   TYPE TIMESTAMPTZ USING to_time(created_at),
  ALTER COLUMN updated_at   TYPE TIMESTAMPTZ USING to_time(updated_at),
  ALTER COLUMN last_used_at TYPE TIMESTAMPTZ USING to_time(last_used_at);

ALTER TABLE query
  ADD COLUMN results_exact TEXT;          -- the results as they were given, if jsonb changes the order of their keys
UPDATE query SET results_exact = results WHERE to_jsonb_or_marked(results)::text <> results;
ALTER TABLE query
  ALTER COLUMN query      TYPE JSONB       USING to_jsonb_or_marked(query),
  ALTER COLUMN sql        TYPE JSONB       USING to_jsonb_or_marked(sql),
  ALTER COLUMN response   TYPE JSONB       USING to_jsonb_or_marked(response),
  ALTER COLUMN truncated  TYPE JSONB       USING to_jsonb_or_marked(truncated),
  ALTER COLUMN results    TYPE JSONB       USING to_jsonb_or_marked(results),
  ALTER COLUMN created_at TYPE TIMESTAMPTZ USING to_time(created_at);

DROP FUNCTION to_jsonb_or_marked;
DROP FUNCTION to_time;
`
