/** What people are told when erased words are not out of the files yet. */
export const ERASE_PENDING =
  'Nobody can read or find them any more, but the files still hold them. To take them out, once no other program reads the old state: recollect erase --finish'
