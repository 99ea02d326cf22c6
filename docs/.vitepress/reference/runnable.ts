import { REPOSITORY, isPublic } from '../../../scripts/release/repository.mjs'

/** Where the code of a page runs. */
interface Runnable {
  /** A program of the playground. */
  readonly playground?: string
  /** A project of examples/. */
  readonly example?: string
  /** A template of create-vue-chain. */
  readonly template?: string
}

/** Pages without a live example, which links to the playground by itself. */
export const RUNNABLE: Readonly<Record<string, Runnable>> = {
  accounts: { example: 'deposit-watcher' },
  chain: { playground: 'Follow the chain' },
  connection: { playground: 'useRpc' },
  contracts: { playground: 'useContract' },
  cosigning: { example: 'treasury' },
  dashboard: { playground: 'A dashboard' },
  'deposit-watcher': { example: 'deposit-watcher' },
  devnode: { playground: 'RxJS, without a framework' },
  devtools: { template: 'vue' },
  diagnosis: { playground: 'useDiagnosis' },
  explorer: { playground: 'useInfiniteRestQuery' },
  feed: { example: 'feed', template: 'service' },
  'getting-paid': { playground: 'ReceivePayment', template: 'shop' },
  'getting-started': { playground: 'useBalance', template: 'vue' },
  'hot-wallet': { example: 'hot-wallet' },
  'kaspa-in-five-minutes': { playground: 'A dashboard' },
  keys: { playground: 'useCrypto' },
  light: { example: 'hot-wallet' },
  'migrate-from-rpc-client': { playground: 'RxJS, without a framework', template: 'vanilla' },
  'migrate-from-vue-kaspa': { playground: 'A dashboard', template: 'vue' },
  nuxt: { template: 'nuxt' },
  options: { playground: 'useVueChain' },
  payments: { template: 'shop' },
  payouts: { playground: 'usePayouts', example: 'hot-wallet' },
  'pinia-and-router': { template: 'vue' },
  rest: { playground: 'useRestQuery' },
  'sign-in': { playground: 'useWallet' },
  ssr: { template: 'nuxt' },
  streams: { playground: 'RxJS, without a framework', template: 'vanilla' },
  'test-a-component': { template: 'vue' },
  testing: { template: 'vanilla' },
  transactions: { playground: 'useTransaction', example: 'hot-wallet' },
  transfers: { playground: 'useTransfers', example: 'deposit-watcher' },
  tokens: { playground: 'useTokens' },
  'wallet-app': { template: 'vue' },
  wasm: { playground: 'useCrypto' },
  'recipes/checkout': { playground: 'ReceivePayment', template: 'shop' },
  'recipes/export-a-kpub': { playground: 'useCrypto', example: 'deposit-watcher' },
  'recipes/go-live': { template: 'service' },
  'recipes/nuxt-server-routes': { template: 'nuxt' },
  'recipes/refund': { template: 'shop' },
  'recipes/several-tabs': { playground: 'useSharing' },
  'recipes/testnet-coins': { playground: 'useBalance' },
  'recipes/wallets-on-a-laptop': { playground: 'ConnectWallet' },
  'recipes/webhook': { template: 'shop' },
}

/**
 * Pages with nothing to run: lists, figures and rules, what needs a device or an agent that pays. The start page and the
 * playground run by themselves.
 */
export const NOT_RUNNABLE: readonly string[] = [
  ...['index', 'playground', 'functions', 'errors', 'assistants', 'bundlers'],
  ...['ledger', 'x402', 'recipes/paid-api'],
  ...['compatibility', 'performance', 'reliability', 'security', 'changelog', 'contributing'],
]

/** The Markdown of a page with links to what runs its code, after its first paragraph. */
export function withRunnable(markdown: string, page: string): string {
  const runnable = RUNNABLE[page]
  if (runnable === undefined) return markdown
  const line = `**Run it**: ${linksOf(runnable, page).join(', or ')}.`
  return markdown.replace(/^# .+\n\n.+\n/m, (head) => `${head}\n${line}\n`)
}

function linksOf({ playground, example, template }: Runnable, page: string): string[] {
  const links: string[] = []
  const root = page.includes('/') ? '../' : './'
  if (playground !== undefined)
    links.push(`[in the playground](${root}playground.md#${encodeURIComponent(playground)})`)
  if (example !== undefined) links.push(`as a project of the package, [\`examples/${example}\`](${sourceOf(example)})`)
  if (template !== undefined) links.push(`as an app: \`npm create vue-chain@latest app -- --template ${template}\``)
  return links
}

/** Before the repository is public, npm shows the files of the package. */
const sourceOf = (example: string): string =>
  isPublic ? `${REPOSITORY}/tree/main/examples/${example}` : 'https://www.npmjs.com/package/vue-chain?activeTab=code'
