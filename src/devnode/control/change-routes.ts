import { readAmount, readCount, readFlag, readText, readTexts, done, type Route, type Body } from './route.js'
import { invalidArgument } from '../../errors/chain-error.js'
import type { DevnodeBase } from '../devnode.js'
import type { ActiveFault } from '../faults/active-fault.js'
import type { FaultKind } from '../faults/fault.js'
import { FAULT_KINDS, isFaultName, type FaultName } from '../faults/kinds.js'

/** The devnode's methods. */
export const methodRoutes: readonly Route[] = [
  {
    method: 'POST',
    path: '/mine',
    about: 'Mines `blocks` (1), `parallel` (1) of them side by side in each step, for `address` or a `script` in hex.',
    run: async ({ devnode, body }) => ({
      hashes: await devnode.mine(readCount(body, 'blocks', 1), {
        parallel: readCount(body, 'parallel', 1),
        address: readText(body, 'address', undefined),
        script: readText(body, 'script', undefined),
      }),
    }),
  },
  {
    method: 'POST',
    path: '/fund',
    about: 'Pays `amount` sompi to `address`; with `coinbase` as a coinbase output, immature at first.',
    run: async ({ devnode, body }) => ({
      transactionId: await devnode.fund(readText(body, 'address'), readAmount(body, 'amount'), {
        coinbase: readFlag(body, 'coinbase'),
      }),
    }),
  },
  {
    method: 'POST',
    path: '/reorg',
    about:
      'Replaces the last `depth` chain blocks; the transactions of `drop` are dropped, those of `doubleSpend` double-spent.',
    run: ({ devnode, body }) =>
      devnode.reorg({
        depth: readCount(body, 'depth'),
        drop: readTexts(body, 'drop'),
        doubleSpend: readTexts(body, 'doubleSpend'),
      }),
  },
  {
    method: 'POST',
    path: '/snapshot',
    about: 'Takes a snapshot of the state.',
    run: ({ devnode }) => ({ snapshot: devnode.snapshot() }),
  },
  {
    method: 'POST',
    path: '/revert',
    about: 'Reverts to the state of `snapshot`.',
    run({ devnode, body }) {
      devnode.revert(readCount(body, 'snapshot'))
      return done
    },
  },
  {
    method: 'POST',
    path: '/prune',
    about:
      'Removes the history more than `depth` chain blocks below the sink, but the headers of `headers` (0) blocks.',
    run({ devnode, body }) {
      devnode.prune({ depth: readCount(body, 'depth'), headers: readCount(body, 'headers', 0) })
      return done
    },
  },
  {
    method: 'POST',
    path: '/restart',
    about:
      'Stops the RPC servers and starts them again after `downtime` ms (0), on the same ports; restored from `snapshot`.',
    async run({ devnode, body }) {
      await devnode.restart({
        downtime: readCount(body, 'downtime', 0),
        snapshot: body.snapshot === undefined ? undefined : readCount(body, 'snapshot'),
      })
      return done
    },
  },
]

/** Fault injection. */
export const faultRoutes: readonly Route[] = [
  {
    method: 'GET',
    path: '/faults',
    about: 'The kinds of faults, and the active faults.',
    run: ({ devnode }) => ({ kinds: listKinds(), active: devnode.faults.active().map(toRecord) }),
  },
  {
    method: 'POST',
    path: '/faults/random',
    about: 'Plays the schedule of `seed` (0), `rate` (5) faults a second, of `kinds` (the default kinds).',
    run({ devnode, body }) {
      const kinds = body.kinds === undefined ? undefined : readTexts(body, 'kinds').map(toFaultName)
      devnode.faults.random(readCount(body, 'seed', 0), readCount(body, 'rate', 5), kinds)
      return done
    },
  },
  {
    method: 'POST',
    path: '/faults/:name',
    about: 'Begins a fault; the body has its settings, including `for` (ms) and `times`.',
    run: ({ devnode, body, name }) => begin(devnode, name, body),
  },
  {
    method: 'POST',
    path: '/drop',
    about: 'Drops every connection: the fault of that name.',
    run: ({ devnode, body }) => begin(devnode, 'drop', body),
  },
  {
    method: 'DELETE',
    path: '/faults/:name',
    about: 'Ends the faults of one kind.',
    run({ devnode, name }) {
      const ended = devnode.faults.active().filter((fault) => fault.name === toFaultName(name))
      for (const fault of ended) fault.stop()
      return { ended: ended.length }
    },
  },
  {
    method: 'DELETE',
    path: '/faults',
    about: 'Ends every fault and every random schedule.',
    run({ devnode }) {
      devnode.faults.clear()
      return done
    },
  },
]

const listKinds = () => Object.entries(FAULT_KINDS).map(([name, kind]) => ({ name, ...toListed(kind) }))

function toListed({ about, settings, choices, times = 0 }: FaultKind) {
  return { about, settings: { ...settings, for: 0, times }, choices }
}

const begin = ({ faults }: DevnodeBase, name: string, settings: Body) =>
  toRecord(faults.begin(toFaultName(name), settings))

const toRecord = ({ name, settings, triggered }: ActiveFault) => ({ name, settings, triggered })

function toFaultName(name: string): FaultName {
  if (isFaultName(name)) return name
  throw invalidArgument('name', `There is no fault "${name}"`, `There are ${Object.keys(FAULT_KINDS).join(', ')}.`)
}
