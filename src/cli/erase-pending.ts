/** Printed after an erasure that is complete. */
export const ERASE_DONE = 'Nothing of it remains in the database files.'
/** Printed when erased text is still in the files, because another program reads an old state. */
export const ERASE_PENDING =
  'It can no longer be read or found, but its bytes are still in the files because another program has them open. Once that program is closed, run: recollect erase --finish'
