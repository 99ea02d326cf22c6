import { readAmount, readCount, readFlag, readText, readTexts } from './body.js'
import { done, type Route } from './route.js'

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
