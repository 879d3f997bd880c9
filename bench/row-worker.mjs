// Works out rows for the floor in a thread of its own. In the thread that is timed, it would fill the
// tokenizer's memory with the very words that Recollect counts next, and Recollect would look faster than it
// is (by a fifth, when it was tried).

import { parentPort, workerData } from 'node:worker_threads'
import { createRowMaker, openBare } from './bare-sqlite.mjs'
import { createMessageWriter } from './made-up-text.mjs'

const database = await openBare(workerData.path)
const toRows = await createRowMaker(database)
database.close()
const write = createMessageWriter(workerData.seed)
parentPort.on('message', (count) => parentPort.postMessage(toRows(write(count))))
