import type { CommandContext } from '../devnode/command/command.js'

/** The exit code of a command line that cannot be read. */
const USAGE_ERROR = 2

/** Runs the command `vue-chain`; resolves to the exit code of the subcommand, 2 for an unknown one. */
export async function runCli([name, ...args]: readonly string[], context: CommandContext): Promise<number> {
  if (name === '--help' || name === '-h') {
    context.print(formatHelp())
    return 0
  }
  const subcommand = name !== undefined && Object.hasOwn(SUBCOMMANDS, name) ? SUBCOMMANDS[name] : undefined
  if (subcommand === undefined) {
    context.printError(name === undefined ? formatHelp() : `vue-chain: unknown subcommand "${name}". See --help.`)
    return USAGE_ERROR
  }
  const run = await subcommand.load()
  return run(args, context)
}

const formatHelp = (): string =>
  [
    'vue-chain <subcommand>: tools for apps on the Kaspa network.',
    '',
    ...Object.entries(SUBCOMMANDS).map(([name, { about }]) => `  ${name.padEnd(8)} ${about}`),
    '',
    'vue-chain <subcommand> --help lists the flags of a subcommand.',
  ].join('\n')

/** Runs one subcommand with the arguments after its name; resolves to the exit code. */
export type RunSubcommand = (args: readonly string[], context: CommandContext) => Promise<number>

interface Subcommand {
  readonly about: string
  /** Imports the subcommand, so that the others stay unloaded. */
  readonly load: () => Promise<RunSubcommand>
}

/** The subcommands of `vue-chain` by name. */
const SUBCOMMANDS: Readonly<Record<string, Subcommand>> = {
  devnode: {
    about: 'run a Kaspa network on this machine, for development',
    load: async () => (await import('../devnode/command/command.js')).runCommand,
  },
  contract: {
    about: 'check the artifact of a contract, and write it as a module with its types',
    load: async () => (await import('./contract.js')).runContract,
  },
  doctor: {
    about: 'check a node and an indexer, with a remedy for what fails',
    load: async () => (await import('./doctor.js')).runDoctor,
  },
  mcp: {
    about: 'serve documentation, queries and a devnode to an assistant (Model Context Protocol)',
    load: async () => (await import('./mcp/mcp.js')).runMcp,
  },
  feed: {
    about: 'store the transfers of watched addresses in PostgreSQL, PGlite or NATS JetStream',
    load: async () => (await import('./feed/feed.js')).runFeed,
  },
  payments: {
    about: "a shop's server: payment requests, webhooks and a page to pay, beside a feed",
    load: async () => (await import('./payments/payments.js')).runPayments,
  },
  x402: {
    about: 'settle payments of x402 for servers in other languages (experimental): vue-chain x402 facilitator',
    load: async () => (await import('./x402/x402.js')).runX402,
  },
}
