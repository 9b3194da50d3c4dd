// Package pdf makes a PDF from the Markdown of a report.
//
// [Layout] reads the Markdown once (goldmark's AST with GFM tables) and lays it
// out into a [List]: pages of drawing operations with final positions. [Write]
// draws that list with gofpdf, when page totals and the numbers of the table of
// contents are known. The list is also the seam for tests: [List.Text] prints
// it, one operation a line.
//
// On the way from Markdown to pages there are two stages. Blocks become strips,
// pieces of a page's height that are never cut (a line of text, a table row);
// then strips are dealt out to pages, by how they hold together.
//
// Conventions of the Markdown, beyond CommonMark and GFM tables:
//
//   - "#" and the paragraph after it are the title block; "##" are chapters,
//     "###" findings; both get a bookmark.
//   - <a id="f-3"></a> alone on its line, with a blank line after it, or inside
//     a paragraph or heading, is the target of [text](#f-3). Other raw HTML is
//     not drawn; <br> breaks a line.
//   - <!-- toc --> is where the table of contents goes.
//   - A shape of [figure.ShapeClass] that begins a heading, paragraph, table
//     cell or list item is a badge: it is coloured together with the word that
//     follows it.
//   - An image that stands alone in its paragraph and whose destination is in
//     [Document.Figures] is drawn as vectors, its title attribute as a caption
//     below; a tall one may float to the top of the next page. Every other image
//     becomes its alternative text.
//   - "[ ] " and "[x] " at the start of a list item are check boxes.
//   - Only https:// addresses and "#anchor" links to anchors that exist become
//     live; every other link is text. In running text the page of the target
//     follows an "#anchor" link.
package pdf
