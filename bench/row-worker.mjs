// Computes rows for the floor in a worker thread. In the timed thread it would fill the tokenizer's cache with the
// words that Recollect counts next, and Recollect would look faster than it is (by a fifth, when measured).

import { parentPort, workerData } from 'node:worker_threads'
import { createRowMaker, openBare } from './bare-sqlite.mjs'
import { createMessageWriter } from './made-up-text.mjs'

const database = await openBare(workerData.path)
const toRows = await createRowMaker(database)
database.close()
const write = createMessageWriter(workerData.seed)
parentPort.on('message', (count) => parentPort.postMessage(toRows(write(count))))
