/** What people are told when another program keeps erased words alive for a while. */
export const ERASE_PENDING =
  'Another program still reads the old state: the words leave the write-ahead log once it is done. Then: recollect erase --finish'
