function f() { let kept; try { null.x; } catch (e) { kept = e; } try { throw kept; } catch (again) { return [again === kept, again.constructor.name]; } }
