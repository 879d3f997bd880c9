import { execFileSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { onTestFinished, type TestContext } from 'vitest'
import { temporaryFolder } from '../support/temporary-folder.ts'

interface Room {
  readonly megabytes: number
  /** Space taken by something else, which can be freed later. */
  readonly ballastMegabytes: number
}

/** A folder with limited space. */
export class SmallDisk {
  readonly folder: string
  readonly #ballast: string

  /** Skips the test if mounting is not permitted. */
  constructor(context: TestContext, { megabytes, ballastMegabytes }: Room) {
    this.folder = join(temporaryFolder(), 'small-disk')
    this.#ballast = join(this.folder, 'ballast')
    mkdirSync(this.folder)
    const obstacle = mount(this.folder, megabytes)
    if (obstacle !== undefined) {
      console.log(`no real disk is filled: ${obstacle}`)
      context.skip(obstacle)
    }
    writeFileSync(this.#ballast, Buffer.alloc(ballastMegabytes * 2 ** 20, 'ballast'))
  }

  free(): void {
    rmSync(this.#ballast)
  }
}

function mount(folder: string, megabytes: number): string | undefined {
  if (process.platform !== 'linux') return `mounting takes Linux, and this is ${process.platform}`
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', folder], { stdio: 'pipe' })
  } catch (error) {
    return `mounting takes the rights to do so (${(error as Error).message.trim()})`
  }
  // Lazy unmount: an open handle must not keep the mount.
  onTestFinished(() => void execFileSync('umount', ['--lazy', folder]))
  return undefined
}
