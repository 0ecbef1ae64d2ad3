// call: run('fox take undo')
// call: run('take')
// call: run('elm oak take ash undo undo yew')
// differs: 1 pop of an empty array is undefined
class Shelf {
  constructor() {
    this.books = [];
    this.past = [];
  }

  put(book) {
    this.past.push(this.books.slice());
    this.books.push(book);
  }

  take() {
    this.past.push(this.books.slice());
    return this.books.pop();
  }

  undo() {
    this.books = this.past.pop();
  }
}

function run(orders) {
  const shelf = new Shelf();
  for (const order of orders.split(' ')) {
    if (order === 'take') {
      shelf.take();
    } else if (order === 'undo') {
      shelf.undo();
    } else {
      shelf.put(order);
    }
  }
  return [shelf.books, shelf.past.length];
}
