/** API keys; each gives access to one workspace. */
export const keys = `
CREATE TABLE access_key (
  workspace    BIGINT NOT NULL REFERENCES workspace (number) ON DELETE CASCADE,
  number       BIGINT NOT NULL GENERATED ALWAYS AS IDENTITY,
  id           TEXT   NOT NULL UNIQUE,
  name         TEXT   NOT NULL,
  scope        TEXT   NOT NULL,          -- metrics, read, write, admin
  digest       TEXT   NOT NULL,          -- SHA-256 of the key, in hexadecimal: the key itself is kept nowhere
  created_at   BIGINT NOT NULL,
  last_used_at BIGINT,
  PRIMARY KEY (workspace, number)
);
`
