import { captureValues, type TemplateMatch } from "./capture.ts";
import { locateGaps } from "./locate.ts";
import { planMatch } from "./plan.ts";
import type { UriTemplate } from "./template.ts";

/**
 * The values from which the template expands to this URI; nothing if there are none.
 *
 * What a variable can match is what it can expand to: `{a}` at least one unreserved or
 * percent-encoded character (so no `/`), `{+a}` and `{#a}` reserved ones too, `{a*}` any number of
 * members. The parameters of `;`, `?` and `&` may stand in any order; those that are absent have no
 * value, and one that the template does not name is no match. A name that stands twice needs the
 * same value twice. Text must be a URI as it is: no raw spaces or letters beyond ASCII.
 *
 * Values are percent-decoded once, and a triplet that is malformed or not UTF-8 is no match. In
 * `{+a}` and `{#a}` triplets for reserved characters stay encoded, because `a%2Fb` and `a/b` are
 * different URIs. Values may still hold `..`, NUL or a back-slash: check before opening files.
 *
 * Where a URI could be cut in several ways, the last `{+a}`, `{#a}` or list takes as much as it can,
 * and every other variable as little, from left to right: `{a}.{b}` cuts `x.y.z` into `x` and `y.z`,
 * `{+path}/{name}` cuts `a/b/c` into `a/b` and `c`. Nothing is tried twice, so the time is linear in
 * the length of the URI, and a URI is no match if only another cut would fit. That takes a template
 * with several `{+a}`, `{#a}` or lists, or one whose parts have no reserved character between them.
 * Associative arrays are expanded but never matched.
 */
export function matchUriTemplate(template: UriTemplate, uri: string): TemplateMatch | undefined {
  const spans = locateGaps((template.plan ??= planMatch(template.parts)), uri);
  return spans && captureValues(spans);
}
