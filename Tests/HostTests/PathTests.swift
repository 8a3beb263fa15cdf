import Host
import Testing

@Suite struct PathTests {
    @Test(
        "The parent of a path is the folder that contains it",
        arguments: [("/a/b/c", "/a/b"), ("/a", "/"), ("/", "/"), ("a/b/", "a"), ("a", "."), ("", "."), ("/a//b", "/a/")])
    func parent(path: String, parent: String) {
        #expect(Path.parent(of: path) == parent)
    }

    @Test("Joining keeps an absolute name and adds one slash")
    func join() {
        #expect(Path.join("/a", "b") == "/a/b")
        #expect(Path.join("/a/", "b") == "/a/b")
        #expect(Path.join("/a", "/b") == "/b")
    }
}
