/** Holds an element by an animation that stands still. It does from the start: the first one makes all layers of the page anew. */
export function still(element: Element, first: Keyframe): { be(next: Keyframe): void; end(): void } {
  const held = new KeyframeEffect(element, [first, first], 1000);
  const animation = new Animation(held);
  animation.pause();
  return { be: (next) => held.setKeyframes([next, next]), end: () => animation.cancel() };
}
