/** What an application says about the active file beside id and name. */
export const activeFileMetadata = `
ALTER TABLE page ADD COLUMN active_file_metadata TEXT;  -- a JSON object
`
