// The native library of the Chroma server. It is built against glibc 2.39 and requires that version, although it only
// uses two functions of it that exist in older versions under another name, and two that are optional. To run the
// server in tests on systems up to three years older, such as Debian 12, we make a copy with lower version
// requirements. In production, run Chroma on a system that it was built for.

import { spawnSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

const { resolve } = createRequire(import.meta.url)

let found: string | undefined

/** Its path; throws if this machine cannot load it. */
export function findChromaLibrary(): string {
  found ??= findLibrary()
  return found
}

function findLibrary(): string {
  const shipped = findShipped()
  const problem = tryToLoad(shipped)
  if (problem === undefined) return shipped
  if (!/version `GLIBC_2\.\d+' not found/.test(problem)) throw new Error(problem)
  const copy = join(dirname(dirname(shipped)), '.cache', 'recollect', `chroma-${versionOf(shipped)}.node`)
  if (!existsSync(copy)) makeCopy(shipped, copy)
  const remaining = tryToLoad(copy)
  if (remaining !== undefined) throw new Error(remaining)
  return copy
}

function findShipped(): string {
  const libc = process.platform === 'linux' ? '-gnu' : ''
  const toolchain = process.platform === 'win32' ? '-msvc' : libc
  return resolve(`chromadb-js-bindings-${process.platform}-${process.arch}${toolchain}`)
}

function versionOf(library: string): string {
  return JSON.parse(readFileSync(join(dirname(library), 'package.json'), 'utf8')).version
}

/** In a separate process, in case loading crashes. */
function tryToLoad(library: string): string | undefined {
  const load = 'require(process.argv[1])'
  const { status, stderr } = spawnSync(process.execPath, ['-e', load, library], { encoding: 'utf8' })
  if (status === 0) return undefined
  return stderr.split('\n').find((line) => line.startsWith('Error:')) ?? stderr.slice(0, 300)
}

function makeCopy(from: string, to: string): void {
  mkdirSync(dirname(to), { recursive: true })
  const unfinished = `${to}.${process.pid}`
  copyFileSync(from, unfinished)
  writeFileSync(unfinished, askForLess(readFileSync(from)))
  renameSync(unfinished, to)
}

/** The oldest version on this machine. Symbols that are missing in it are optional. */
const OLDEST = 'GLIBC_2.2.5'
/** C23 functions and their older names. */
const NEW_NAMES = '__isoc23_'
/** The newest version in Debian 12. */
const KNOWN_MINOR = 36

function askForLess(library: Buffer): Buffer {
  const elf = new ElfFile(library)
  const needed = elf.neededVersions().filter(({ file }) => file === 'libc.so.6')
  const oldest = needed.find(({ name }) => name === OLDEST)
  if (oldest === undefined) throw new Error(`Chroma's library does not ask for ${OLDEST}`)
  for (const { at, name } of needed) {
    if (Number(/^GLIBC_2\.(\d+)$/.exec(name)?.[1] ?? 0) > KNOWN_MINOR) elf.copyVersion(oldest.at, at)
  }
  elf.renameSymbols(NEW_NAMES)
  return library
}

interface Section {
  readonly type: number
  readonly offset: number
  readonly size: number
  readonly link: number
  readonly info: number
}

const SYMBOLS = 11
const SYMBOL_BYTES = 24
const NEEDED_VERSIONS = 0x6ffffffe

/** A 64-bit ELF library: only its symbol tables. */
class ElfFile {
  readonly #bytes: Buffer
  readonly #symbols: Section
  readonly #needed: Section
  readonly #names: Section

  constructor(bytes: Buffer) {
    this.#bytes = bytes
    const [table, size, count] = [this.#long(0x28), bytes.readUInt16LE(0x3a), bytes.readUInt16LE(0x3c)]
    const sections = Array.from({ length: count }, (_, i) => this.#section(table + i * size))
    const find = (type: number) => {
      const section = sections.find((one) => one.type === type)
      if (section === undefined) throw new Error("Chroma's library is not as expected")
      return section
    }
    this.#symbols = find(SYMBOLS)
    this.#needed = find(NEEDED_VERSIONS)
    this.#names = sections[this.#symbols.link] as Section
  }

  neededVersions(): readonly { readonly file: string; readonly name: string; readonly at: number }[] {
    const found: { file: string; name: string; at: number }[] = []
    let at = this.#needed.offset
    for (let file = 0; file < this.#needed.info; file++) {
      let version = at + this.#int(at + 8)
      for (let i = 0; i < this.#bytes.readUInt16LE(at + 2); i++) {
        const name = this.#name(this.#int(version + 8))
        found.push({ file: this.#name(this.#int(at + 4)), name, at: version })
        version += this.#int(version + 12)
      }
      at += this.#int(at + 12)
    }
    return found
  }

  /** The hash of the name, and the offset of the name. */
  copyVersion(from: number, to: number): void {
    for (const field of [0, 8]) this.#bytes.writeUInt32LE(this.#int(from + field), to + field)
  }

  /** The offset of the name without its prefix. */
  renameSymbols(prefix: string): void {
    const { offset, size } = this.#symbols
    for (let at = offset; at < offset + size; at += SYMBOL_BYTES) {
      const name = this.#int(at)
      if (this.#name(name).startsWith(prefix)) this.#bytes.writeUInt32LE(name + prefix.length, at)
    }
  }

  #section(at: number): Section {
    const [offset, size] = [this.#long(at + 24), this.#long(at + 32)]
    return { type: this.#int(at + 4), offset, size, link: this.#int(at + 40), info: this.#int(at + 44) }
  }

  #int(at: number): number {
    return this.#bytes.readUInt32LE(at)
  }

  #long(at: number): number {
    return Number(this.#bytes.readBigUInt64LE(at))
  }

  #name(offset: number): string {
    const start = this.#names.offset + offset
    return this.#bytes.toString('latin1', start, this.#bytes.indexOf(0, start))
  }
}
