import { createQueries, type Queries } from '../../query/queries.js'
import type { ChainCore } from '../core.js'

/** The queries of a core, shared by key. */
export const queries = ({ lifetime, platform }: ChainCore): Queries => createQueries(lifetime, platform)
