import { MASS_LIMITS } from '../../../model/mass.js'
import { give } from '../answer.js'
import { estimateFees } from '../mempool/fee-estimate.js'
import { nextFeerates } from '../mempool/selection.js'
import { BLOCKS_PER_SECOND } from '../params.js'
import type { Queries } from './scope.js'

/** What to pay. */
export const feeQueries: Queries<'getFeeEstimate' | 'getFeeEstimateExperimental'> = {
  getFeeEstimate: ({ network }) => give({ estimate: estimateFees(network.mempool.pool) }),

  getFeeEstimateExperimental: ({ network }, { verbose }) => {
    const { pool } = network.mempool
    const estimate = estimateFees(pool)
    if (!verbose) return give({ estimate })
    const ready = pool.ready()
    const { min, median, max } = nextFeerates(network)
    return give({
      estimate,
      verbose: {
        mempoolReadyTransactionsCount: BigInt(ready.length),
        mempoolReadyTransactionsTotalMass: ready.reduce((sum, { mass }) => sum + mass, 0n),
        networkMassPerSecond: MASS_LIMITS.compute * BigInt(BLOCKS_PER_SECOND),
        nextBlockTemplateFeerateMin: min,
        nextBlockTemplateFeerateMedian: median,
        nextBlockTemplateFeerateMax: max,
      },
    })
  },
}
