import { merge, type Observable } from 'rxjs'
import type { Books } from './books.js'
import { keepBooks$, type KeepBooksDeps } from './keep-books.js'
import { lookAfterMempool$, type MempoolLooksDeps } from './mempool-looks.js'
import type { BookOrders } from './orders.js'

export type KeepDeps = KeepBooksDeps & MempoolLooksDeps

/** Keeps books true, and looks for what is on its way, while it is subscribed to. Never emits or errors. */
export type Keep = (books: Books, orders: BookOrders, node: KeepDeps) => Observable<never>

export const keep$: Keep = (books, orders, node) =>
  merge(keepBooks$(books, orders, node), lookAfterMempool$(books, orders, node))
