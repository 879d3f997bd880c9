import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, type TestContext } from 'vitest'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { type Random, seededRandom } from './chatter.mjs'
import { Child } from './child-process.ts'

/** One simulated power cut. */
interface Cut {
  /** The file, with its log next to it, as it is found after the power cut. */
  readonly path: string
  /** What the writer acknowledged since the previous cut. */
  readonly said: readonly string[]
  /** How often it had synced since then. */
  readonly syncs: number
}

interface Run {
  readonly program: string
  readonly options?: object
  /** Otherwise the run continues with what the last cut of the previous run left. */
  readonly isNewFile: boolean
  /**
   * The cuts are spread over this many write and sync calls. Creating a file takes about 60 of them, a commit
   * 10 to 100, filling the log up to a checkpoint about 2,500.
   */
  readonly spanCalls: number
}

export const CUTS_PER_RUN = 10

/** A folder on a simulated disk that loses what was not synced: see power-cut/unsynced.c. */
export class ForgetfulDisk {
  readonly #random: Random
  readonly #library: string
  readonly #folder: string
  readonly #images: string

  /** Skips the test where the simulation is not available. */
  constructor(context: TestContext, seed: number) {
    const obstacle = findObstacle()
    if (obstacle !== undefined) {
      console.log(`the power is not cut: ${obstacle}`)
      context.skip(obstacle)
    }
    const home = temporaryFolder()
    this.#random = seededRandom(seed)
    this.#library = join(home, 'unsynced.so')
    this.#folder = join(home, 'disk')
    this.#images = join(home, 'images')
    const source = fileURLToPath(new URL('power-cut/unsynced.c', import.meta.url))
    execFileSync('cc', ['-std=c11', '-O1', '-fPIC', '-shared', '-o', this.#library, source, '-lpthread'])
  }

  /** Runs a program and yields the state of the disk at each cut; the program is killed at the last one. */
  async *cutPower({ program, options, isNewFile, spanCalls }: Run): AsyncIterable<Cut> {
    this.#prepare(isNewFile)
    const child = this.#start(program, spanCalls)
    child.tell({ path: join(this.#folder, 'memory.db'), seed: this.#random.below(2 ** 31), ...options })
    const { signal } = await child.ended
    expect(signal, child.errors).toBe('SIGKILL')
    cpSync(join(this.#images, `${CUTS_PER_RUN - 1}`), join(this.#images, 'last'), { recursive: true })
    let said: string[] = []
    let syncsBefore = 0
    for (const line of child.lines) {
      const [word, number, , syncs] = line.split(' ')
      if (word === 'cut') {
        yield { path: join(this.#images, `${number}`, 'memory.db'), said, syncs: Number(syncs) - syncsBefore }
        syncsBefore = Number(syncs)
        said = []
      } else said.push(line)
    }
  }

  #prepare(isNewFile: boolean): void {
    rmSync(this.#folder, { recursive: true, force: true })
    if (isNewFile) mkdirSync(this.#folder)
    else cpSync(join(this.#images, 'last'), this.#folder, { recursive: true })
    rmSync(this.#images, { recursive: true, force: true })
    mkdirSync(this.#images)
  }

  #start(program: string, spanCalls: number): Child {
    const moments = new Set<number>()
    while (moments.size < CUTS_PER_RUN) moments.add(this.#random.between(1, spanCalls))
    return new Child(program, {
      LD_PRELOAD: this.#library,
      UNSYNCED_FOLDER: this.#folder,
      UNSYNCED_IMAGES: this.#images,
      UNSYNCED_CUTS: [...moments].sort((a, b) => a - b).join(','),
      UNSYNCED_SEED: String(this.#random.below(2 ** 31)),
    })
  }
}

function findObstacle(): string | undefined {
  if (process.platform !== 'linux') return `it takes Linux, and this is ${process.platform}`
  try {
    execFileSync('cc', ['--version'], { stdio: 'ignore' })
    return undefined
  } catch (error) {
    return `there is no C compiler (${(error as Error).message})`
  }
}
