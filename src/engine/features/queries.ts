import { createQueries, type Queries } from '../../query/queries.js'
import type { CoreParts } from '../core-parts.js'

/** The queries of a core, shared by key. */
export const queries = ({ lifetime, platform }: CoreParts): Queries => createQueries(lifetime, platform)
