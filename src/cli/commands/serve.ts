import { resolve } from 'node:path'
import { type Command, Option } from 'commander'
import { definedFields } from '../../domain/defined-fields.ts'
import { configFromEnvironment } from '../../index.ts'
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

const option = (flags: string, description: string): Option => new Option(flags, description)

const OPTIONS: readonly Option[] = [
  option('--port <number>', 'the port to listen on').env('PORT').default(4747).argParser(toCount),
  option('--host <address>', 'the address to listen on').env('RECOLLECT_SERVER_HOST').default('127.0.0.1'),
  option('--require-key', 'let nobody in without a key, also not from this machine').env(
    'RECOLLECT_SERVER_REQUIRE_KEY',
  ),
  option('--cors <origin>', 'let web pages of this origin in (may be repeated)')
    .env('RECOLLECT_SERVER_CORS')
    .argParser(collect),
  option('--allowed-host <name>', 'a name by which the server may be called (may be repeated)')
    .env('RECOLLECT_SERVER_ALLOWED_HOST')
    .argParser(collect),
  option('--rate <number>', 'requests a second for each key or address; 0: any number (2000)')
    .env('RECOLLECT_SERVER_RATE')
    .argParser(toCount),
  option('--body-bytes <number>', 'the largest body of a request (16777216)')
    .env('RECOLLECT_SERVER_BODY_BYTES')
    .argParser(toCount),
  option('--upload-bytes <number>', 'the largest form with a file in it (53477376)')
    .env('RECOLLECT_SERVER_UPLOAD_BYTES')
    .argParser(toCount),
  option(
    '--drain-ms <number>',
    'when it ends, /api/ready says 503 for so long while all else is still answered (0)',
  )
    .env('RECOLLECT_SERVER_DRAIN_MS')
    .argParser(toCount),
  option('--log <level>', 'one line for each request with info (warn on a terminal, else info)')
    .env('RECOLLECT_SERVER_LOG')
    .choices(LEVELS),
  option('--upstream <url>', 'the server behind the proxy at /v1 (unless given, that of the chat model)').env(
    'RECOLLECT_SERVER_UPSTREAM',
  ),
  option('--debug', 'let every chat tell what it remembered, in comments of its stream').env(
    'RECOLLECT_SERVER_DEBUG',
  ),
]

export function serveCommand(): Command {
  const command = newCommand('serve', 'Serve the memory over HTTP: JSON under /api, described at /docs.')
  for (const one of OPTIONS) command.addOption(one)
  return command
    .addHelpText('after', EXAMPLES)
    .action((flags: ServeFlags, command: Command) =>
      withMemory(command, { mayCreate: true, mayFindModel: true }, (session) => serve(session, flags)),
    )
}

const EXAMPLES = `
Examples:
  recollect serve                                   # for this machine, without keys
  recollect --db team.db serve --port 8080
  recollect keys create && recollect serve --host 0.0.0.0
  recollect serve --cors https://app.example.com    # let a web page elsewhere in
  recollect serve --upstream http://localhost:11434/v1    # a proxy for OpenAI's clients at /v1

Without a key only this machine comes in; any other address needs at least one. Behind a proxy use --require-key.
Ctrl-C or SIGTERM ends it: requests under way are answered first.`

async function serve(session: Session, flags: ServeFlags): Promise<void> {
  const { memory, path, isJson } = session
  // Loaded here: no other command needs it.
  const { startServer } = await import('../../server/start-server.ts')
  const { port, host, requireKey, cors, allowedHost, rate, bodyBytes, uploadBytes, drainMs, log, debug } =
    flags
  const upstream = upstreamOf(session, flags)
  const server = await startServer(memory, {
    port,
    host,
    hasOwnProcess: true,
    logLevel: log ?? (process.stdout.isTTY === true ? 'warn' : 'info'),
    ...upstream,
    ...definedFields({
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
  if (isJson) printJson({ url: server.url, location, models: memory.models.inUse() })
  else
    announce(server, [
      describeProxy(server, upstream),
      `  model    ${describeModel(session)}`,
      `  data     ${location}`,
    ])
  await untilStopped()
  await server.close()
}

type Upstream = Pick<ServerOptions, 'upstreamUrl' | 'upstreamKey'>

/** The proxy goes to the server of the chat model, unless another is named; a key only ever goes with its address. */
function upstreamOf({ found }: Session, { upstream }: ServeFlags): Upstream {
  const key = process.env['RECOLLECT_SERVER_UPSTREAM_KEY'] ?? ''
  if (upstream !== undefined) return { upstreamUrl: upstream, upstreamKey: key }
  const { url = '', key: chatKey = '' } = found ?? configFromEnvironment(process.env).models?.chat ?? {}
  return { upstreamUrl: url, upstreamKey: chatKey }
}

function describeModel({ memory, found }: Session): string {
  const { chat } = memory.models.inUse()
  if (chat === undefined)
    return `none ${dim('· answers are made from memory; set RECOLLECT_MODEL_URL, or start Ollama')}`
  return found === undefined
    ? chat.name
    : `${chat.name} ${dim(`· found at ${found.url}; RECOLLECT_OLLAMA=off leaves it alone`)}`
}

/** An address may have a password in it. */
function describeProxy({ url }: RunningServer, { upstreamUrl = '' }: Upstream): string {
  if (upstreamUrl === '')
    return `  proxy    none ${dim('· --upstream names the server that it stands before')}`
  const { host } = URL.canParse(upstreamUrl) ? new URL(upstreamUrl) : { host: '' }
  return `  proxy    ${url}/v1 ${dim(`· before ${host}`)}`
}

function announce({ url }: RunningServer, more: readonly string[]): void {
  print(
    `${bold('Recollect')} listens on ${bold(url)} ${dim('· open it in a browser')}`,
    `  API      ${url}/docs ${dim('· for programs: /openapi.json')}`,
    `  metrics  ${url}/metrics`,
    ...more,
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
