import { resolve } from 'node:path'
import { type Command, Option } from 'commander'
import { definedFields } from '../../domain/defined-fields.ts'
import { configFromEnvironment } from '../../index.ts'
import type { LogLevel, RetentionOptions, RunningServer, ServerOptions } from '../../server/start-server.ts'
import { collect, toCount } from '../arguments.ts'
import { bold, dim, print, printJson } from '../terminal.ts'
import { newCommand, type Session, withMemory } from '../with-memory.ts'

interface ServeFlags {
  readonly port: number
  readonly host: string
  readonly requireKey?: boolean
  readonly workspaceHeader?: string
  readonly cors?: readonly string[]
  readonly allowedHost?: readonly string[]
  readonly rate?: number
  readonly bodyBytes?: number
  readonly uploadBytes?: number
  readonly drainMs?: number
  readonly upstream?: string
  readonly debug?: boolean
  readonly retainDays?: number
  readonly retainAction?: 'archive' | 'erase'
  readonly retainQueryDays?: number
  readonly backupDir?: string
  readonly backupsKept?: number
  readonly retainDryRun?: boolean
  readonly log?: LogLevel
}

const LEVELS: readonly LogLevel[] = ['silent', 'error', 'warn', 'info']

const option = (flags: string, description: string): Option => new Option(flags, description)

const OPTIONS: readonly Option[] = [
  option('--port <number>', 'port to listen on').env('PORT').default(4747).argParser(toCount),
  option('--host <address>', 'address to listen on').env('RECOLLECT_SERVER_HOST').default('127.0.0.1'),
  option('--require-key', 'require an API key, even from this machine').env('RECOLLECT_SERVER_REQUIRE_KEY'),
  option('--workspace-header <name>', 'trust this header of your proxy to name the user').env(
    'RECOLLECT_SERVER_WORKSPACE_HEADER',
  ),
  option('--cors <origin>', 'allow web pages from this origin (can be repeated)')
    .env('RECOLLECT_SERVER_CORS')
    .argParser(collect),
  option('--allowed-host <name>', 'host name the server accepts (can be repeated)')
    .env('RECOLLECT_SERVER_ALLOWED_HOST')
    .argParser(collect),
  option('--rate <number>', 'requests per second for each key or address; 0 for no limit (default: 2000)')
    .env('RECOLLECT_SERVER_RATE')
    .argParser(toCount),
  option('--body-bytes <number>', 'maximum size of a request body (default: 16777216)')
    .env('RECOLLECT_SERVER_BODY_BYTES')
    .argParser(toCount),
  option('--upload-bytes <number>', 'maximum size of a file upload (default: 53477376)')
    .env('RECOLLECT_SERVER_UPLOAD_BYTES')
    .argParser(toCount),
  option(
    '--drain-ms <number>',
    'on shutdown, answer 503 on /api/ready for this long before closing (default: 0)',
  )
    .env('RECOLLECT_SERVER_DRAIN_MS')
    .argParser(toCount),
  ...[
    option('--retain-days <days>', 'archive conversations that were not used for this long').argParser(
      toCount,
    ),
    option('--retain-action <action>', 'what to do with these conversations (default: archive)').choices([
      'archive',
      'erase',
    ]),
    option('--retain-query-days <days>', 'erase queries of pages that are older').argParser(toCount),
    option('--backup-dir <folder>', 'back up the database file to this folder once a day'),
    option('--backups-kept <number>', 'how many of these backups to keep (default: 7)').argParser(toCount),
    option('--retain-dry-run', 'only log what would be archived, erased or deleted'),
  ].map((one) => one.env(`RECOLLECT_SERVER_${one.name().replaceAll('-', '_').toUpperCase()}`)),
  option('--log <level>', 'log level; info logs every request (default: warn on a terminal, otherwise info)')
    .env('RECOLLECT_SERVER_LOG')
    .choices(LEVELS),
  option('--upstream <url>', 'server behind the proxy at /v1 (default: that of the chat model)').env(
    'RECOLLECT_SERVER_UPSTREAM',
  ),
  option('--debug', 'add what was remembered as comments to every chat stream').env('RECOLLECT_SERVER_DEBUG'),
]

export function serveCommand(): Command {
  const command = newCommand(
    'serve',
    'Start the server: web app, HTTP API under /api, documentation at /docs.',
  )
  for (const one of OPTIONS) command.addOption(one)
  return command
    .addHelpText('after', EXAMPLES)
    .action((flags: ServeFlags, command: Command) =>
      withMemory(command, { mayCreate: true, mayFindModel: true }, (session) => serve(session, flags)),
    )
}

const EXAMPLES = `
Examples:
  recollect serve                                   # this machine only, no keys
  recollect --db team.db serve --port 8080
  recollect keys create && recollect serve --host 0.0.0.0
  recollect serve --cors https://app.example.com    # allow a web page on another origin
  recollect serve --upstream http://localhost:11434/v1    # a proxy for OpenAI clients at /v1

Without an API key, only requests from this machine are accepted. Listening on another address requires at least one
key. Behind a proxy, use --require-key. Ctrl-C or SIGTERM stops the server after finishing open requests.`

async function serve(session: Session, flags: ServeFlags): Promise<void> {
  const { memory, path, isJson } = session
  // Loaded lazily: no other command needs it.
  const { startServer } = await import('../../server/start-server.ts')
  const { port, host, requireKey, workspaceHeader, cors, allowedHost, rate, log, debug } = flags
  const { bodyBytes, uploadBytes, drainMs } = flags
  const upstream = upstreamOf(session, flags)
  const server = await startServer(memory, {
    port,
    host,
    hasOwnProcess: true,
    logLevel: log ?? (process.stdout.isTTY === true ? 'warn' : 'info'),
    retention: toRetention(flags),
    ...upstream,
    ...definedFields({
      debug,
      requireKey,
      workspaceHeader,
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

const toRetention = (flags: ServeFlags): RetentionOptions =>
  definedFields({
    unusedDays: flags.retainDays,
    action: flags.retainAction,
    queryDays: flags.retainQueryDays,
    backupFolder: flags.backupDir,
    backupsKept: flags.backupsKept,
    dryRun: flags.retainDryRun,
  })

type Upstream = Pick<ServerOptions, 'upstreamUrl' | 'upstreamKey'>

/** The proxy uses the server of the chat model unless another is given. A key is only sent to its own address. */
function upstreamOf({ found }: Session, { upstream }: ServeFlags): Upstream {
  const key = process.env['RECOLLECT_SERVER_UPSTREAM_KEY'] ?? ''
  if (upstream !== undefined) return { upstreamUrl: upstream, upstreamKey: key }
  const { url = '', key: chatKey = '' } = found ?? configFromEnvironment(process.env).models?.chat ?? {}
  return { upstreamUrl: url, upstreamKey: chatKey }
}

function describeModel({ memory, found }: Session): string {
  const { chat } = memory.models.inUse()
  if (chat === undefined)
    return `none ${dim('· answers come from memory; set RECOLLECT_MODEL_URL or start Ollama to use a model')}`
  return found === undefined
    ? chat.name
    : `${chat.name} ${dim(`· detected at ${found.url}; set RECOLLECT_OLLAMA=off to ignore it`)}`
}

/** Shows only the host, because the URL may contain a password. */
function describeProxy({ url }: RunningServer, { upstreamUrl = '' }: Upstream): string {
  if (upstreamUrl === '') return `  proxy    none ${dim('· set --upstream to enable it')}`
  const { host } = URL.canParse(upstreamUrl) ? new URL(upstreamUrl) : { host: '' }
  return `  proxy    ${url}/v1 ${dim(`· forwards to ${host}`)}`
}

function announce({ url }: RunningServer, more: readonly string[]): void {
  print(
    `${bold('Recollect')} is listening on ${bold(url)} ${dim('· open it in a browser')}`,
    `  API      ${url}/docs ${dim('· OpenAPI: /openapi.json')}`,
    `  metrics  ${url}/metrics`,
    ...more,
    dim('Press Ctrl-C to stop.'),
  )
}

/** A second signal exits at once. */
function untilStopped(): Promise<void> {
  return new Promise((stop) => {
    let isStopping = false
    const onSignal = (signal: NodeJS.Signals) => {
      if (isStopping) process.exit(signal === 'SIGINT' ? 130 : 143)
      isStopping = true
      stop()
    }
    process.on('SIGINT', onSignal)
    process.on('SIGTERM', onSignal)
  })
}

function toLocation(path: string): string {
  if (path === ':memory:') return 'in memory only, lost when the server stops'
  return path.includes('://') ? path : resolve(path)
}
