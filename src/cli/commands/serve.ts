import { resolve } from 'node:path'
import { type Command, Option } from 'commander'
import { given } from '../../given.ts'
import { optionsFromEnvironment } from '../../index.ts'
import type { LogLevel, RunningServer, ServerOptions } from '../../server/start-server.ts'
import { collect, toCount } from '../arguments.ts'
import { bold, dim, print, printJson } from '../terminal.ts'
import { newCommand, type Session, withMemory } from '../with-memory.ts'

interface ServeFlags {
  readonly port: number
  readonly host: string
  readonly requireKey?: boolean
  readonly cors?: readonly string[]
  readonly allowedHost?: readonly string[]
  readonly rate?: number
  readonly bodyBytes?: number
  readonly uploadBytes?: number
  readonly drainMs?: number
  readonly upstream?: string
  readonly debug?: boolean
  readonly log?: LogLevel
}

const LEVELS: readonly LogLevel[] = ['silent', 'error', 'warn', 'info']

export function serveCommand(): Command {
  return newCommand('serve', 'Serve the memory over HTTP: JSON under /api, described at /docs.')
    .addOption(
      option('--port <number>', 'the port to listen on').env('PORT').default(4747).argParser(toCount),
    )
    .addOption(
      option('--host <address>', 'the address to listen on')
        .env('RECOLLECT_SERVER_HOST')
        .default('127.0.0.1'),
    )
    .addOption(
      option('--require-key', 'let nobody in without a key, also not from this machine').env(
        'RECOLLECT_SERVER_REQUIRE_KEY',
      ),
    )
    .addOption(
      option('--cors <origin>', 'let web pages of this origin in (may be repeated)')
        .env('RECOLLECT_SERVER_CORS')
        .argParser(collect),
    )
    .addOption(
      option('--allowed-host <name>', 'a name by which the server may be called (may be repeated)')
        .env('RECOLLECT_SERVER_ALLOWED_HOST')
        .argParser(collect),
    )
    .addOption(
      option('--rate <number>', 'requests a second for each key or address; 0: any number (2000)')
        .env('RECOLLECT_SERVER_RATE')
        .argParser(toCount),
    )
    .addOption(
      option('--body-bytes <number>', 'the largest body of a request (16777216)')
        .env('RECOLLECT_SERVER_BODY_BYTES')
        .argParser(toCount),
    )
    .addOption(
      option('--upload-bytes <number>', 'the largest form with a file in it (53477376)')
        .env('RECOLLECT_SERVER_UPLOAD_BYTES')
        .argParser(toCount),
    )
    .addOption(
      option('--drain-ms <number>', 'so long /api/ready says 503 before no request is taken any more (0)')
        .env('RECOLLECT_SERVER_DRAIN_MS')
        .argParser(toCount),
    )
    .addOption(
      option('--log <level>', 'one line for each request with info (warn on a terminal, else info)')
        .env('RECOLLECT_SERVER_LOG')
        .choices(LEVELS),
    )
    .addOption(UPSTREAM)
    .addOption(DEBUG)
    .addHelpText('after', EXAMPLES)
    .action((flags: ServeFlags, command: Command) =>
      withMemory(command, { mayCreate: true, mayFindModel: true }, (session) => serve(session, flags)),
    )
}

const option = (flags: string, description: string): Option => new Option(flags, description)

const UPSTREAM = option(
  '--upstream <url>',
  'the server behind the proxy at /v1 (unless given, that of the chat model)',
).env('RECOLLECT_SERVER_UPSTREAM')

const DEBUG = option('--debug', 'let every chat tell what it remembered, in comments of its stream').env(
  'RECOLLECT_SERVER_DEBUG',
)

const EXAMPLES = `
Examples:
  recollect serve                                   # for this machine, without keys
  recollect --db team.db serve --port 8080
  recollect keys create && recollect serve --host 0.0.0.0
  recollect serve --cors https://app.example.com    # let a web page elsewhere in

Without a key only this machine comes in; any other address needs at least one. Behind a proxy use --require-key.
Ctrl-C or SIGTERM ends it: requests under way are answered first.`

async function serve(session: Session, flags: ServeFlags): Promise<void> {
  const { memory, path, isJson } = session
  // Loaded here: no other command needs it.
  const { startServer } = await import('../../server/start-server.ts')
  const { port, host, requireKey, cors, allowedHost, rate, bodyBytes, uploadBytes, drainMs, log, debug } = flags
  const server = await startServer(memory, {
    port,
    host,
    hasOwnProcess: true,
    logLevel: log ?? (process.stdout.isTTY === true ? 'warn' : 'info'),
    ...upstreamOf(session, flags),
    ...given({
      debug,
      requireKey,
      corsOrigins: cors,
      allowedHosts: allowedHost,
      requestsPerSecond: rate,
      requestBurst: rate === undefined ? undefined : rate * 2,
      bodyBytes,
      uploadBytes,
      drainMs,
    }),
  })
  const location = toLocation(path)
  if (isJson) printJson({ url: server.url, location, models: memory.models() })
  else announce(server, location, describeModel(session))
  await untilStopped()
  await server.close()
}

/** The proxy goes to the server of the chat model, unless another is named; a key only ever goes with its address. */
function upstreamOf(
  { found }: Session,
  { upstream }: ServeFlags,
): Pick<ServerOptions, 'upstreamUrl' | 'upstreamKey'> {
  const key = process.env['RECOLLECT_SERVER_UPSTREAM_KEY'] ?? ''
  if (upstream !== undefined) return { upstreamUrl: upstream, upstreamKey: key }
  const { url = '', key: chatKey = '' } = found ?? optionsFromEnvironment(process.env).models?.chat ?? {}
  return { upstreamUrl: url, upstreamKey: chatKey }
}

function describeModel({ memory, found }: Session): string {
  const { chat } = memory.models()
  if (chat === undefined)
    return `none ${dim('· answers are made from memory; set RECOLLECT_MODEL_URL, or start Ollama')}`
  return found === undefined
    ? chat.name
    : `${chat.name} ${dim(`· found at ${found.url}; RECOLLECT_OLLAMA=off leaves it alone`)}`
}

function announce({ url }: RunningServer, location: string, model: string): void {
  print(
    `${bold('Recollect')} listens on ${bold(url)}`,
    `  API      ${url}/docs ${dim('· for programs: /openapi.json')}`,
    `  metrics  ${url}/metrics`,
    `  model    ${model}`,
    `  data     ${location}`,
    dim('Ctrl-C ends it.'),
  )
}

/** Whoever asks a second time does not want to wait. */
function untilStopped(): Promise<void> {
  return new Promise((stop) => {
    let isAsked = false
    const ask = (signal: NodeJS.Signals) => {
      if (isAsked) process.exit(signal === 'SIGINT' ? 130 : 143)
      isAsked = true
      stop()
    }
    process.on('SIGINT', ask)
    process.on('SIGTERM', ask)
  })
}

function toLocation(path: string): string {
  if (path === ':memory:') return 'nowhere: all is gone when it ends'
  return path.includes('://') ? path : resolve(path)
}
