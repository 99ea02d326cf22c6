import { MASS_LIMITS } from '../../../model/mass.js'
import { succeed } from '../result.js'
import type { Queries } from './scope.js'
import { estimateFees } from '../mempool/fee-estimate.js'
import { templateFeerates } from '../mempool/selection.js'
import { BLOCKS_PER_SECOND } from '../params.js'

export const feeQueries: Queries<'getFeeEstimate' | 'getFeeEstimateExperimental'> = {
  getFeeEstimate: ({ network }) => succeed({ estimate: estimateFees(network.mempool.pool) }),

  getFeeEstimateExperimental: ({ network }, { verbose }) => {
    const { pool } = network.mempool
    const estimate = estimateFees(pool)
    if (!verbose) return succeed({ estimate })
    const ready = pool.ready()
    const { min, median, max } = templateFeerates(network)
    return succeed({
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
