import { kaspaToSompi, type ChainEngine } from 'vue-chain/streams'
import type { ActionName } from './action-labels.js'
import type { ExampleProps, PageNetwork } from './page-network.js'

/** What an action changes. */
export interface ActionTarget {
  readonly network: PageNetwork
  /** The engine of the app. */
  readonly engine: ChainEngine
  /** Changes props of the shown component. */
  setProps(props: Partial<ExampleProps>): void
}

type Action = (target: ActionTarget) => unknown

/** What a reader can do to a network in the page. */
export const ACTIONS: Readonly<Record<ActionName, Action>> = {
  mine: ({ network }) => network.devnode.mine(),
  parallel: ({ network }) => network.devnode.mine(1, { parallel: 3 }),
  receive,
  send,
  drop: ({ network }) => network.devnode.faults.drop(),
  freeze: ({ network }) => network.devnode.faults.freeze({ for: 5_000 }),
  restart: ({ network }) => network.devnode.restart({ downtime: 2_000 }),
  undoCall: ({ network }) => undoCall(network),
  reorg: ({ network }) => network.devnode.reorg({ depth: 3 }),
  notSynced: ({ network }) => network.devnode.faults.notSynced({ for: 10_000 }),
  failRest: ({ network }) => network.devnode.faults.failRest({ for: 5_000 }),
  lockWallet: ({ network }) => toggleLock(network),
  switchAccount: ({ network }) => selectNext(network),
}

async function receive({ network, setProps }: ActionTarget): Promise<void> {
  setProps({ id: await network.devnode.fund(network.props.address, kaspaToSompi(5)) })
}

/** A payment by the app's engine, which the next block includes. */
async function send({ network, engine, setProps }: ActionTarget): Promise<void> {
  const { from, privateKey, to } = network.props
  await engine.wasm.init()
  const { transactionIds } = await engine.transactions.send({
    entries: (await engine.rpc.getUtxosByAddresses([from])).slice(0, 4),
    outputs: [{ address: to, amount: kaspaToSompi(1) }],
    changeAddress: from,
    privateKeys: [privateKey],
  })
  const id = transactionIds.at(-1)
  if (id !== undefined) setProps({ id })
}

/** A reorg to a branch without the newest transaction of a contract. */
async function undoCall({ devnode }: PageNetwork): Promise<void> {
  const { expected } = devnode
  const bound = expected.utxos().filter(({ covenantId }) => covenantId !== undefined)
  const [newest] = bound.sort((a, b) => Number(b.blockDaaScore - a.blockDaaScore))
  if (newest === undefined) return
  const depth = Number(expected.virtualDaaScore() - newest.blockDaaScore) + 2
  await devnode.reorg({ depth, drop: [newest.outpoint.transactionId] })
}

function toggleLock({ wallet }: PageNetwork): void {
  if (wallet.state.status === 'locked') wallet.unlock()
  else wallet.lock()
}

const selectNext = ({ wallet }: PageNetwork): void => wallet.selectAccount(wallet.state.account === 0 ? 1 : 0)
