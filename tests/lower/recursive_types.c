// Types that refer to themselves and to one another.
struct node { struct node *next; struct tree *owner; };
struct tree { struct node *first; struct tree *children[2]; int (*compare)(struct node *, struct node *); };
struct node *first(struct tree *t) { return t->children[1]->first->next; }
