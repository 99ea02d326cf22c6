import { h } from 'vue'
import { renderSlot, type PartContext } from '../part.js'

/** The heading, which is focused when the view changes, and the close button. */
export const header = (context: PartContext, id: string, text: string) =>
  h('div', { class: 'vc-header' }, [
    h('h2', { id, class: 'vc-title', tabindex: -1 }, [renderSlot(context, 'title', { text }, () => text)]),
    renderSlot(context, 'close', { close: context.actions.close }, () =>
      h(
        'button',
        { type: 'button', class: 'vc-close', 'aria-label': context.texts.close, onClick: context.actions.close },
        [closeIcon()],
      ),
    ),
  ])

const closeIcon = () =>
  h('svg', { viewBox: '0 0 16 16', width: 16, height: 16, 'aria-hidden': 'true' }, [
    h('path', { d: 'M3.5 3.5l9 9M12.5 3.5l-9 9', fill: 'none', stroke: 'currentColor', 'stroke-width': 1.4 }),
  ])
