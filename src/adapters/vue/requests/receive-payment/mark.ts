import { h, type VNode } from 'vue'
import type { DescribedState } from './describe-state.js'

/** Shapes beside the words, so that no state differs by its colour alone. */
const PATHS: Readonly<Record<DescribedState['tone'], string>> = {
  unknown: 'M8 2.5a5.5 5.5 0 1 1-5.5 5.5',
  waiting: 'M8 2.5a5.5 5.5 0 1 1 0 11a5.5 5.5 0 1 1 0-11M8 5v3.2l2 1.6',
  seen: 'M8 2.5a5.5 5.5 0 1 1 0 11a5.5 5.5 0 1 1 0-11M5.2 8h.1M8 8h.1M10.8 8h.1',
  'partly-paid': 'M8 2.5a5.5 5.5 0 1 1 0 11a5.5 5.5 0 1 1 0-11M8 5.5v5M5.5 8h5',
  paid: 'M8 2.5a5.5 5.5 0 1 1 0 11a5.5 5.5 0 1 1 0-11M5.4 8.2l1.9 1.9l3.4-4',
  confirmed: 'M8 2.5a5.5 5.5 0 1 1 0 11a5.5 5.5 0 1 1 0-11M5.4 8.2l1.9 1.9l3.4-4',
  expired: 'M8 2.5a5.5 5.5 0 1 1 0 11a5.5 5.5 0 1 1 0-11M6 6l4 4M10 6l-4 4',
}

export const mark = (tone: DescribedState['tone']): VNode =>
  h('svg', { viewBox: '0 0 16 16', width: 20, height: 20 }, [
    h('path', {
      d: PATHS[tone],
      fill: 'none',
      stroke: 'currentColor',
      'stroke-width': 1.4,
      'stroke-linecap': 'round',
      'stroke-linejoin': 'round',
    }),
  ])
