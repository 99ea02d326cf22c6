/** The script of the sandboxed frame: a network, and the reader's code on it. */
import { createChainEngine, type ChainEngine } from 'vue-chain/streams'
import { formatRefusal } from 'vue-chain/devnode/memory'
import { mountExample, type MountedExample } from '../../live/mount-example.js'
import { ACTIONS } from '../../network/actions.js'
import type { ActionName } from '../../network/action-labels.js'
import { feedDag } from '../../network/dag/feed.js'
import { startPageNetwork, type PageNetwork } from '../../network/page-network.js'
import type { ToFrame } from '../messages.js'
import { openChannel } from './channel.js'
import { reportLines, toText } from './console-lines.js'
import { isolate } from './isolate.js'
import { provideModules } from './modules.js'
import { runModule } from './run-module.js'

const { run: mark, nonce } = isolate()
const { post, listen } = openChannel(mark)
const fail = (error: unknown): void => post({ type: 'line', level: 'error', text: toText(error) })

let mounted: MountedExample | undefined

async function run(network: PageNetwork, { code, css }: Extract<ToFrame, { type: 'run' }>): Promise<void> {
  const style = document.createElement('style')
  style.textContent = css
  document.head.append(style)
  const component = await runModule(code)
  const output = document.getElementById('output')
  if (output === null || typeof component !== 'object' || component === null) return
  mounted = mountExample(component, output, network, fail)
}

/** Acts by the engine of the mounted app. A program without one gets an engine of its own. */
async function act(network: PageNetwork, action: ActionName): Promise<void> {
  if (mounted !== undefined) return mounted.act(action)
  await ACTIONS[action]({ network, engine: ownEngine(network), setProps: () => undefined })
}

let engine: ChainEngine | undefined
const ownEngine = ({ options }: PageNetwork): ChainEngine => (engine ??= createChainEngine(options))

const setTheme = (dark: boolean): unknown => document.documentElement.classList.toggle('dark', dark)

async function start(): Promise<void> {
  reportLines((level, text) => post({ type: 'line', level, text }))
  const network = await startPageNetwork({
    onRefused: (refused) => post({ type: 'line', level: 'error', text: formatRefusal(refused) }),
  })
  const { devnode, options } = network
  provideModules({ devnode, options }, nonce)
  feedDag(devnode, (dag) => post({ type: 'dag', dag }))
  listen((message) => {
    if (message.type === 'theme') setTheme(message.dark)
    else (message.type === 'run' ? run(network, message) : act(network, message.action)).catch(fail)
  })
  post({ type: 'ready' })
}

start().catch(fail)
